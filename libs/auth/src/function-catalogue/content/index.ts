import { classificationScreens } from './classification';
import { documentScreens } from './documents';
import { manageUsers } from './manage-users';
import { organisationScreens } from './organisation';
import { peopleScreens } from './people';
import { retrievalScreens } from './retrieval';
import type { FunctionContent } from './shape';

export * from './shape';

/** The descriptions of all screens, one value a screen. */
export const functionContents: readonly FunctionContent[] = [
  ...retrievalScreens,
  ...documentScreens,
  ...classificationScreens,
  manageUsers,
  ...peopleScreens,
  ...organisationScreens,
];
