import type { EntityGrant, Holder } from '../credentials/credential.store';

/** Which entities and which area a credential has in focus. */
export interface Focus {
  readonly entities: readonly string[];
  readonly activeEntity: string | null;
  readonly authorizedAreaRoot: string | null;
  readonly activeArea: string | null;
  readonly effectiveArea: string | null;
  readonly areaFocusIsExplicit: boolean;
  /** Whether nothing can be read before an entity is in focus. */
  readonly needsFocus: boolean;
}

/** The place of an area: its entity, itself and all areas above it. */
export interface AreaPath {
  readonly entity: string;
  readonly above: readonly string[];
}

/** The places of the areas of a focus; null for a missing area. */
export interface AreaPaths {
  readonly effective: AreaPath | null;
  readonly fixed: AreaPath | null;
}

type Focused = Pick<Holder, 'grants' | 'fixedEntity' | 'fixedArea' | 'activeEntity' | 'activeArea'>;

const onlyOf = (grants: readonly EntityGrant[]): string | null =>
  grants.length === 1 ? (grants[0]?.entity ?? null) : null;

/** The entity of a credential: its chosen one, or the only one it has. */
const entityOf = ({ fixedEntity, activeEntity, grants }: Focused): string | null =>
  fixedEntity ?? activeEntity ?? onlyOf(grants);

const grantOf = (holder: Focused, entity: string | null): EntityGrant | undefined =>
  holder.grants.find((grant) => grant.entity === entity);

/**
 * The focus of a credential. An entity of which the owner has one area only is reached while it is in focus. Without a
 * focus the folders of the area cannot be distinguished from those of the other entities.
 */
export const focusOf = (holder: Focused): Focus => {
  const { grants, fixedEntity, fixedArea, activeEntity, activeArea } = holder;
  const inFocus = entityOf(holder);
  const authorizedAreaRoot = fixedArea ?? grantOf(holder, inFocus)?.area ?? null;
  const effectiveArea = activeArea ?? authorizedAreaRoot;
  const whole = grants.filter(({ area }) => area === null);
  return {
    entities: (inFocus === null ? whole : grants).map(({ entity }) => entity),
    activeEntity: fixedEntity ?? activeEntity ?? (effectiveArea === null ? null : inFocus),
    authorizedAreaRoot,
    activeArea,
    effectiveArea,
    areaFocusIsExplicit: activeArea !== null,
    needsFocus: inFocus === null && grants.length > 0 && whole.length === 0,
  };
};

/** Whether an area lies in an entity and in or below every root that is given. */
const within = (path: AreaPath | null, entity: string, roots: readonly (string | null)[]): boolean =>
  path !== null && path.entity === entity && roots.every((root) => root === null || path.above.includes(root));

/**
 * Whether a focus lies outside of what its owner may see now. It checks the entity, the area and the area that a key
 * is fixed to.
 */
export const isStale = (holder: Focused, { effective, fixed }: AreaPaths): boolean => {
  const { fixedEntity, fixedArea, activeEntity } = holder;
  const entity = entityOf(holder);
  const grant = grantOf(holder, entity);
  if ((fixedEntity ?? activeEntity) !== null && grant === undefined) return true;
  const { effectiveArea } = focusOf(holder);
  const owned = grant?.area ?? null;
  if (fixedArea !== null && !within(fixed, entity ?? '', [owned])) return true;
  return effectiveArea !== null && !within(effective, entity ?? '', [fixedArea, owned]);
};

/**
 * Whether a credential may focus on an area. The area lies in an entity of the owner, and within the area that a key
 * is fixed to.
 */
export const mayFocusOn = (holder: Focused, path: AreaPath): boolean => {
  const grant = grantOf(holder, path.entity);
  if (grant === undefined || (holder.fixedEntity !== null && holder.fixedEntity !== path.entity)) return false;
  return within(path, path.entity, [holder.fixedArea, grant.area]);
};

/**
 * The area that restricts a credential in an entity of its owner, whichever is in focus; null for the whole entity,
 * undefined for an entity that the credential does not reach.
 */
export const areaWithin = (holder: Focused, entity: string): string | null | undefined => {
  const { fixedEntity, fixedArea } = holder;
  const grant = grantOf(holder, entity);
  if (grant === undefined || (fixedEntity !== null && fixedEntity !== entity)) return undefined;
  return fixedArea ?? grant.area;
};
