import { ScopeClaims, Unauthorized } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';
import type { ResolvedFocus } from '../focus/focus-reader';
import type { Holder, KeyRecord } from './credential.store';

const level = (code: Profile): number => profile.internalCodes.indexOf(code);

/** @throws Unauthorized when a key that was genuine may do nothing now. */
export const assertUsable = ({ revoked, userState, profile: own, creatorProfile }: KeyRecord): void => {
  const usable =
    !revoked &&
    userState === 'ACTIVO' &&
    own !== null &&
    creatorProfile !== null &&
    level(own) <= level(creatorProfile);
  if (!usable) throw new Unauthorized();
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
  { groupCode, userId, userCode, userName, profile: level, roleCode, functions }: Holder,
  focus: ResolvedFocus,
): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    ...bearer,
    ...{ groupCode, userId, userCode, userName, profile: level, roleCode, functions },
    ...focus,
  });
