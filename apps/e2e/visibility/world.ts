import fc from 'fast-check';

/** A tree as a list of nodes with their parents. */
export interface Node {
  readonly code: string;
  readonly entity: string;
  readonly parent: string | null;
}

/** Documents, folders and access rights of a group. */
export interface World {
  readonly areas: readonly Node[];
  readonly locations: readonly Node[];
  /** Links from areas to folders. */
  readonly links: readonly { readonly area: string; readonly location: string }[];
  /** The folder of each document. */
  readonly documents: readonly { readonly code: string; readonly location: string }[];
  /** Entities of the user, whole or restricted to one area. */
  readonly grants: readonly { readonly entity: string; readonly area: string | null }[];
  readonly key: Key;
}

/** The fixed entity and area of a key, and its focus. */
export interface Key {
  readonly fixedEntity: string | null;
  readonly fixedArea: string | null;
  readonly activeEntity: string | null;
  readonly activeArea: string | null;
}

export const DOCUMENTS = 10;
/** The type above both types of documents. */
export const TYPE = 'T';
/** The type of a document, by its place among the documents. */
export const typeAt = (index: number): string => `T${index % 2}`;
/** Spaces that all worlds have, by their entities; one gathers the whole group. */
export const SPACES = { whole: 1, ofEntity: 2 } as const;
export const SPACE_ENTITY = 'V2';
/** Whether a document is in the spaces, by its place among the documents. */
export const isMember = (index: number): boolean => index % 3 !== 0;
const ENTITIES = ['V1', 'V2', 'V3'];

/** A forest of nodes; a node has the entity of its parent. */
const forest = (letter: string, most: number, least: number): fc.Arbitrary<Node[]> =>
  fc
    .array(fc.record({ entity: fc.constantFrom(...ENTITIES), above: fc.nat(2 * most) }), {
      minLength: least,
      maxLength: most,
    })
    .map((drawn) => {
      const nodes: Node[] = [];
      drawn.forEach(({ entity, above }, index) => {
        const parent = nodes[above];
        nodes.push({ code: `${letter}${index}`, entity: parent?.entity ?? entity, parent: parent?.code ?? null });
      });
      return nodes;
    });

const oneOf = (nodes: readonly Node[]): fc.Arbitrary<string> => fc.constantFrom(...nodes.map(({ code }) => code));
const maybe = (codes: readonly string[]): fc.Arbitrary<string | null> =>
  codes.length === 0 ? fc.constant(null) : fc.option(fc.constantFrom(...codes), { freq: 3 });

const grantsOf = (areas: readonly Node[]): fc.Arbitrary<World['grants']> =>
  fc
    .tuple(
      ...ENTITIES.map((entity) => {
        const ownAreas = areas.filter((area) => area.entity === entity).map(({ code }) => code);
        return fc.option(fc.record({ entity: fc.constant(entity), area: maybe(ownAreas) }), { freq: 3 });
      }),
    )
    .map((grants) => grants.filter((grant) => grant !== null));

const FREE: Key = { fixedEntity: null, fixedArea: null, activeEntity: null, activeArea: null };

/** A key as the product stores it: an area requires its entity. Its owner may lack access to either. */
const narrowedKeyOf = (areas: readonly Node[]): fc.Arbitrary<Key> =>
  fc
    .record({
      fixed: fc.boolean(),
      entity: maybe(ENTITIES),
      area: maybe(areas.map(({ code }) => code)),
      focus: maybe(areas.map(({ code }) => code)),
    })
    .map(({ fixed, entity, area, focus }) => {
      const entityOf = (code: string | null): string | null => areas.find((each) => each.code === code)?.entity ?? null;
      if (!fixed)
        return { fixedEntity: null, fixedArea: null, activeEntity: entityOf(focus) ?? entity, activeArea: focus };
      const fixedEntity = entityOf(area) ?? entity;
      const within = fixedEntity !== null && entityOf(focus) === fixedEntity;
      return {
        fixedEntity,
        fixedArea: area,
        activeEntity: within ? fixedEntity : null,
        activeArea: within ? focus : null,
      };
    });

/** A key, in one of three worlds without focus. */
const keyOf = (areas: readonly Node[]): fc.Arbitrary<Key> =>
  fc.oneof({ arbitrary: fc.constant(FREE), weight: 1 }, { arbitrary: narrowedKeyOf(areas), weight: 2 });

export const worlds: fc.Arbitrary<World> = fc
  .record({ areas: forest('A', 7, 0), locations: forest('F', 8, 1) })
  .chain(({ areas, locations }) =>
    fc.record({
      areas: fc.constant(areas),
      locations: fc.constant(locations),
      links:
        areas.length === 0
          ? fc.constant([])
          : fc.uniqueArray(fc.record({ area: oneOf(areas), location: oneOf(locations) }), {
              maxLength: 8,
              selector: ({ area, location }) => `${area} ${location}`,
            }),
      documents: fc
        .array(oneOf(locations), { minLength: DOCUMENTS, maxLength: DOCUMENTS })
        .map((folders) => folders.map((location, index) => ({ code: `DOC${index}`, location }))),
      grants: grantsOf(areas),
      key: keyOf(areas),
    }),
  );
