import { ContextConflict, ScopeClaims, Unauthorized } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';
import type { AreaReach, EntityGrant, KeyRecord } from './credential.store';

const level = (code: Profile): number => profile.internalCodes.indexOf(code);

/** Which entities and which area a key has in focus, before the area's folders are known. */
export interface Focus {
  readonly entities: readonly string[];
  readonly activeEntity: string | null;
  readonly authorizedAreaRoot: string | null;
  readonly activeArea: string | null;
  readonly effectiveArea: string | null;
  readonly areaFocusIsExplicit: boolean;
}

/**
 * The focus of a key. An entity that its owner has one area of only is reached while it is in focus, because without a
 * focus the area's folders could not be told from those of the other entities.
 */
export const focusOf = (record: KeyRecord): Focus => {
  const entity = record.fixedEntity ?? record.activeEntity;
  const inFocus = entity ?? (record.grants.length === 1 ? (record.grants[0]?.entity ?? null) : null);
  const grant = record.grants.find((candidate: EntityGrant) => candidate.entity === inFocus);
  const authorizedAreaRoot = record.fixedArea ?? grant?.area ?? null;
  const whole = record.grants.filter(({ area }) => area === null).map((candidate) => candidate.entity);
  return {
    entities: inFocus === null ? whole : record.grants.map((candidate) => candidate.entity),
    activeEntity: entity ?? (authorizedAreaRoot === null ? null : inFocus),
    authorizedAreaRoot,
    activeArea: record.activeArea,
    effectiveArea: record.activeArea ?? authorizedAreaRoot,
    areaFocusIsExplicit: record.activeArea !== null,
  };
};

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

/** The folders of the area in effect, null where none restricts. @throws ContextConflict when the area left the permission. */
export const locationRootsOf = (
  { effectiveArea, authorizedAreaRoot }: Focus,
  reach: AreaReach | null,
): readonly string[] | null => {
  if (effectiveArea === null || reach === null) return null;
  if (reach.above === null) throw new ContextConflict();
  if (authorizedAreaRoot !== null && !reach.above.includes(authorizedAreaRoot)) throw new ContextConflict();
  return reach.locations;
};

export const claimsOf = (
  groupId: string,
  keyId: string,
  record: KeyRecord,
  focus: Focus,
  locationRoots: readonly string[] | null,
): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    groupId,
    groupCode: record.groupCode,
    userId: record.userId,
    userCode: record.userCode,
    userName: record.userName,
    credential: 'api_key',
    credentialId: keyId,
    assurance: 1,
    profile: record.profile,
    roleCode: record.roleCode,
    functions: record.functions,
    ...focus,
    locationRoots,
  });
