import { isMember, type Node, SPACE_ENTITY, typeAt, type World } from './world';

/**
 * What a caller sees, computed from sets; `stale` if its focus is outside the rights of its owner, `unfocused` if the
 * owner has areas of several entities, none whole, and none of them is in focus.
 */
export interface Seen {
  readonly stale: boolean;
  readonly unfocused: boolean;
  /** Visible entities, and the area in effect; null without a restriction. */
  readonly entities: readonly string[];
  readonly area: string | null;
  readonly documents: ReadonlySet<string>;
  readonly locations: ReadonlySet<string>;
}

/** A node and its ancestors. */
export const upwards = (nodes: readonly Node[], code: string | null): string[] => {
  const node = nodes.find((each) => each.code === code);
  return node === undefined ? [] : [node.code, ...upwards(nodes, node.parent)];
};

/** A node and its descendants. */
export const downwards = (nodes: readonly Node[], code: string): string[] =>
  nodes.filter((node) => upwards(nodes, node.code).includes(code)).map((node) => node.code);

const NOTHING: Seen = {
  stale: true,
  unfocused: false,
  entities: [],
  area: null,
  documents: new Set(),
  locations: new Set(),
};

/** Visible documents and folders of a world. */
export const seenIn = ({ areas, locations, links, documents, grants, key }: World): Seen => {
  const chosen = key.fixedEntity ?? key.activeEntity;
  const entity = chosen ?? (grants.length === 1 ? (grants[0]?.entity ?? null) : null);
  const grant = grants.find((each) => each.entity === entity);
  if (chosen !== null && grant === undefined) return NOTHING;
  const owned = grant?.area ?? null;
  const effective = key.activeArea ?? key.fixedArea ?? owned;
  const lies = (area: string, roots: readonly (string | null)[]): boolean =>
    areas.find(({ code }) => code === area)?.entity === entity &&
    roots.every((root) => root === null || upwards(areas, area).includes(root));
  if (key.fixedArea !== null && !lies(key.fixedArea, [owned])) return NOTHING;
  if (effective !== null && !lies(effective, [key.fixedArea, owned])) return NOTHING;

  const entities = entity === null ? grants.filter(({ area }) => area === null).map((each) => each.entity) : [entity];
  const reached = new Set(
    effective === null
      ? locations.map(({ code }) => code)
      : links
          .filter(({ area }) => downwards(areas, effective).includes(area))
          .flatMap(({ location }) => downwards(locations, location)),
  );
  const visible = new Set(
    locations.filter((each) => entities.includes(each.entity) && reached.has(each.code)).map(({ code }) => code),
  );
  return {
    stale: false,
    unfocused: entity === null && grants.length > 0 && entities.length === 0,
    entities,
    area: effective,
    locations: visible,
    documents: new Set(documents.filter(({ location }) => visible.has(location)).map(({ code }) => code)),
  };
};

/**
 * What a request sees that names an entity, whichever is in focus; null for an entity that the caller does not have, or
 * that a key is not fixed to.
 */
const seenWithin = (world: World, seen: Seen, entity: string): Seen | null => {
  const { key, grants } = world;
  if (key.fixedEntity !== null && key.fixedEntity !== entity) return null;
  if (!grants.some((grant) => grant.entity === entity)) return null;
  return seen.entities.includes(entity)
    ? seen
    : seenIn({ ...world, key: { ...key, activeEntity: entity, activeArea: null } });
};

/** Documents of one entity that a search may name. */
export const documentsIn = (world: World, seen: Seen, entity: string): readonly string[] | null => {
  const { documents, locations } = world;
  const within = seenWithin(world, seen, entity);
  if (within === null) return null;
  const isInside = ({ location }: World['documents'][number]): boolean =>
    locations.find(({ code }) => code === location)?.entity === entity;
  return documents.filter((each) => within.documents.has(each.code) && isInside(each)).map(({ code }) => code);
};

/** Areas of an entity that a member sees: the granted areas, or the area of a fixed key; null without access. */
export const areasOf = ({ areas, grants, key }: World, entity: string): ReadonlySet<string> | null => {
  const grant = grants.find((each) => each.entity === entity);
  if (grant === undefined || (key.fixedEntity !== null && key.fixedEntity !== entity)) return null;
  const root = key.fixedArea ?? grant.area;
  const ownAreas = areas.filter((each) => each.entity === entity).map(({ code }) => code);
  return new Set(root === null ? ownAreas : downwards(areas, root));
};

/**
 * Areas of an entity that restrict documents: the area in effect and its descendants; null if no request sees the entity.
 */
export const areasInSight = (world: World, seen: Seen, entity: string): readonly string[] | null => {
  const within = seenWithin(world, seen, entity);
  if (within === null) return null;
  const { areas } = world;
  const { area } = within;
  const ownAreas = areas.filter((each) => each.entity === entity).map(({ code }) => code);
  return area === null ? ownAreas : downwards(areas, area);
};

/** A folder in a list. */
export interface ListedFolder {
  readonly code: string;
  readonly parent: string | null;
  readonly hasChildren: boolean;
}

/** The visible folders, of one entity or directly below one folder; invisible ancestors are not listed. */
export const foldersIn = (
  world: World,
  focused: Seen,
  { entity, parent }: { readonly entity?: string; readonly parent?: string },
): readonly ListedFolder[] | null => {
  const seen = entity === undefined ? focused : seenWithin(world, focused, entity);
  if (seen === null) return null;
  const { locations } = world;
  const inSight = locations.filter(
    (node) => seen.locations.has(node.code) && (entity === undefined || node.entity === entity),
  );
  if (parent !== undefined && !inSight.some(({ code }) => code === parent)) return null;
  return inSight
    .filter((node) => parent === undefined || node.parent === parent)
    .map((node) => ({
      code: node.code,
      parent: node.parent !== null && seen.locations.has(node.parent) ? node.parent : null,
      hasChildren: locations.some((each) => each.parent === node.code),
    }));
};

/** The visible documents of a type. */
export const documentsOfType = ({ documents }: World, seen: Seen, type: string): readonly string[] =>
  documents.filter(({ code }, index) => typeAt(index) === type && seen.documents.has(code)).map(({ code }) => code);

/** The visible documents of the space of the whole group. */
export const documentsOfSpace = ({ documents }: World, seen: Seen): readonly string[] =>
  documents.filter(({ code }, index) => isMember(index) && seen.documents.has(code)).map(({ code }) => code);

/** The visible documents of the space of one entity; null for a reader without the entity. */
export const documentsOfEntitySpace = (world: World, seen: Seen): readonly string[] | null => {
  if (!seen.entities.includes(SPACE_ENTITY)) return null;
  const isInside = (code: string): boolean => {
    const location = world.documents.find((each) => each.code === code)?.location;
    return world.locations.find((each) => each.code === location)?.entity === SPACE_ENTITY;
  };
  return documentsOfSpace(world, seen).filter(isInside);
};

/** The edges of a document: its visible folders from the root down, and the visible documents of its folder or type. */
export const edgesOf = (
  { locations, documents }: World,
  seen: Seen,
  code: string,
): { readonly path: readonly string[]; readonly neighbors: readonly string[] } | null => {
  const at = documents.findIndex((each) => each.code === code);
  const folder = documents[at]?.location;
  if (folder === undefined || !seen.documents.has(code)) return null;
  return {
    path: upwards(locations, folder)
      .filter((each) => seen.locations.has(each))
      .toReversed(),
    neighbors: documents
      .filter(({ location }, index) => location === folder || typeAt(index) === typeAt(at))
      .filter((each) => each.code !== code && seen.documents.has(each.code))
      .map((each) => each.code)
      .toSorted(),
  };
};
