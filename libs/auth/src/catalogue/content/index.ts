import { manageUsers } from './manage-users';
import type { FunctionContent } from './shape';

export * from './shape';

/** What the product tells about its screens, one value a screen. */
export const functionContents: readonly FunctionContent[] = [manageUsers];
