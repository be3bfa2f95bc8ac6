import { ScopeClaims, Unauthorized } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';
import type { ResolvedFocus } from '../focus/focus-reader';
import type { Holder, KeyRecord } from './credential.store';

const level = (code: Profile): number => profile.internalCodes.indexOf(code);

/** @throws Unauthorized for a genuine key that currently has no rights. */
export const assertUsable = ({ revoked, userState, profile: holderProfile, creatorProfile }: KeyRecord): void => {
  const usable =
    !revoked &&
    userState === 'ACTIVO' &&
    holderProfile !== null &&
    creatorProfile !== null &&
    level(holderProfile) <= level(creatorProfile);
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
