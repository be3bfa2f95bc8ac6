import type { Node, World } from './world';

/** What a caller sees, computed from sets; `stale` where its focus lies outside of what its owner has. */
export interface Seen {
  readonly stale: boolean;
  /** Entities in sight, and the area in effect; null where nothing narrows. */
  readonly entities: readonly string[];
  readonly area: string | null;
  readonly documents: ReadonlySet<string>;
  readonly locations: ReadonlySet<string>;
}

/** A node and all above it. */
export const upwards = (nodes: readonly Node[], code: string | null): string[] => {
  const node = nodes.find((each) => each.code === code);
  return node === undefined ? [] : [node.code, ...upwards(nodes, node.parent)];
};

/** A node and all below it. */
export const downwards = (nodes: readonly Node[], code: string): string[] =>
  nodes.filter((node) => upwards(nodes, node.code).includes(code)).map((node) => node.code);

const NOTHING: Seen = { stale: true, entities: [], area: null, documents: new Set(), locations: new Set() };

/** Documents and folders that a world shows. */
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
    entities,
    area: effective,
    locations: visible,
    documents: new Set(documents.filter(({ location }) => visible.has(location)).map(({ code }) => code)),
  };
};

/** Areas of an entity that a member sees: what it was given, and a fixed key what it is fixed to; null where that is none. */
export const areasOf = ({ areas, grants, key }: World, entity: string): ReadonlySet<string> | null => {
  const grant = grants.find((each) => each.entity === entity);
  if (grant === undefined || (key.fixedEntity !== null && key.fixedEntity !== entity)) return null;
  const root = key.fixedArea ?? grant.area;
  const own = areas.filter((each) => each.entity === entity).map(({ code }) => code);
  return new Set(root === null ? own : downwards(areas, root));
};

/** Areas of an entity that documents are seen under: the one in effect and those below it; null where the entity is out of sight. */
export const areasInSight = ({ areas }: World, { entities, area }: Seen, entity: string): readonly string[] | null => {
  if (!entities.includes(entity)) return null;
  const own = areas.filter((each) => each.entity === entity).map(({ code }) => code);
  return area === null ? own : downwards(areas, area);
};

/** A folder as a list shows it. */
export interface ListedFolder {
  readonly code: string;
  readonly parent: string | null;
  readonly hasChildren: boolean;
}

/** The visible folders, of one entity or directly below one of them; those above what is seen are not there. */
export const foldersIn = (
  { locations }: World,
  seen: Seen,
  { entity, parent }: { readonly entity?: string; readonly parent?: string },
): readonly ListedFolder[] | null => {
  if (entity !== undefined && !seen.entities.includes(entity)) return null;
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

/** What hangs on a document: its visible folders from the top down, and the visible documents beside it. */
export const edgesOf = (
  { locations, documents }: World,
  seen: Seen,
  code: string,
): { readonly path: readonly string[]; readonly neighbors: readonly string[] } | null => {
  const own = documents.find((each) => each.code === code);
  if (own === undefined || !seen.documents.has(code)) return null;
  return {
    path: upwards(locations, own.location)
      .filter((folder) => seen.locations.has(folder))
      .toReversed(),
    neighbors: documents
      .filter((each) => each.location === own.location && each.code !== code && seen.documents.has(each.code))
      .map((each) => each.code)
      .toSorted(),
  };
};
