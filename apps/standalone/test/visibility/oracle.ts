import type { Node, World } from './world';

/** What a caller sees, computed from sets; `stale` where its focus lies outside of what its owner has. */
export interface Seen {
  readonly stale: boolean;
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

const NOTHING: Seen = { stale: true, documents: new Set(), locations: new Set() };

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
