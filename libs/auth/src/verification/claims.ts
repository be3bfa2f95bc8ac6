import { ContextConflict, ScopeClaims, Unauthorized } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';
import type { AreaReach, EntityGrant, Holder, KeyRecord } from './credential.store';

const level = (code: Profile): number => profile.internalCodes.indexOf(code);

/** Which entities and which area a credential has in focus, before the area's folders are known. */
export interface Focus {
  readonly entities: readonly string[];
  readonly activeEntity: string | null;
  readonly authorizedAreaRoot: string | null;
  /** The area that the owner has of the entity; a key that is fixed to an area must lie within it, now. */
  readonly ownerArea: string | null;
  readonly activeArea: string | null;
  readonly effectiveArea: string | null;
  readonly areaFocusIsExplicit: boolean;
}

/**
 * The focus of a key. An entity that its owner has one area of only is reached while it is in focus, because without a
 * focus the area's folders could not be told from those of the other entities.
 */
export const focusOf = (record: Holder): Focus => {
  const entity = record.fixedEntity ?? record.activeEntity;
  const inFocus = entity ?? (record.grants.length === 1 ? (record.grants[0]?.entity ?? null) : null);
  const grant = record.grants.find((candidate: EntityGrant) => candidate.entity === inFocus);
  const authorizedAreaRoot = record.fixedArea ?? grant?.area ?? null;
  const whole = record.grants.filter(({ area }) => area === null).map((candidate) => candidate.entity);
  return {
    entities: inFocus === null ? whole : record.grants.map((candidate) => candidate.entity),
    activeEntity: entity ?? (authorizedAreaRoot === null ? null : inFocus),
    authorizedAreaRoot,
    ownerArea: grant?.area ?? null,
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
  { effectiveArea, authorizedAreaRoot, ownerArea }: Focus,
  reach: AreaReach | null,
): readonly string[] | null => {
  if (effectiveArea === null || reach === null) return null;
  const { above, locations } = reach;
  if (above === null) throw new ContextConflict();
  for (const root of [authorizedAreaRoot, ownerArea])
    if (root !== null && !above.includes(root)) throw new ContextConflict();
  return locations;
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
  { ownerArea: _ownerArea, ...focus }: Focus,
  locationRoots: readonly string[] | null,
): ScopeClaims =>
  Object.assign(new ScopeClaims(), {
    ...bearer,
    ...{ groupCode, userId, userCode, userName, profile: level, roleCode, functions },
    ...focus,
    locationRoots,
  });
