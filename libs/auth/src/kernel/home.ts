import type { TenantScope } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';

/** The group that contains the rows of a caller, whichever group a SYSTEM user acts in. */
export const homeOf = ({ groupId, homeGroupId }: Scope): TenantScope => ({ groupId: homeGroupId ?? groupId });
