import { ScopeClaims, Unauthorized } from '@acervo/contracts';
import { levelOf } from '@acervo/rbac';
import type { ResolvedFocus } from '../focus/focus-reader';
import type { Creator, Holder, KeyRecord } from '../credentials/credential.store';

/** What decides the rights of a key, besides its secret. */
export type KeyRights = Pick<KeyRecord, 'revoked' | 'userState' | 'profile' | 'functions'>;

/**
 * The screens of a key: those of its role that its creator has too. A SYSTEM user has every screen.
 * @throws Unauthorized for a genuine key that currently has no rights.
 */
export const functionsOfKey = (
  { revoked, userState, profile: holderProfile, functions }: KeyRights,
  creator: Creator,
): readonly string[] => {
  const usable =
    !revoked &&
    userState === 'ACTIVO' &&
    holderProfile !== null &&
    creator.profile !== null &&
    levelOf(holderProfile) <= levelOf(creator.profile);
  if (!usable) throw new Unauthorized();
  return creator.profile === 'SISTEMA' ? functions : functions.filter((code) => creator.functions.includes(code));
};

/** The credential that a scope is made for. */
export interface Bearer {
  readonly credential: ScopeClaims['credential'];
  readonly credentialId: string;
  readonly groupId: string;
  readonly homeGroupId?: string;
  readonly assurance: number;
}

export const claimsOf = (
  bearer: Bearer,
  { groupCode, userId, userCode, userName, profile, roleCode, functions, fixedEntity, fixedArea }: Holder,
  focus: ResolvedFocus,
): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    ...bearer,
    ...{ groupCode, userId, userCode, userName, profile, roleCode, functions },
    isFixed: fixedEntity !== null || fixedArea !== null,
    ...focus,
  });
