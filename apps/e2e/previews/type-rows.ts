import type { Rows } from '../isolation/fixture-rows';
import type { Names, State } from './state';

/** The category of a type at a place. */
export const categoryOf = (typeCode: string | undefined, place: number): string => `${typeCode}C${place}`;

interface Category {
  readonly typeCode: string | undefined;
  readonly code: string;
  readonly features: readonly string[];
}

export const categoriesOf = ({ types }: State, names: Names): Category[] =>
  types.flatMap(({ categories }, index) =>
    categories.map((features, place) => ({
      ...{ typeCode: names.types[index], code: categoryOf(names.types[index], place) },
      features: Array.from({ length: features }, (_, each) => `F${each}`),
    })),
  );

const parentPlace = ({ types }: State, index: number): number | null => {
  const parent = types[index]?.parent ?? null;
  return parent === null || index === 0 ? null : parent % index;
};

/** The entity of a type: that of the type at the top of its branch. */
const entityOf = (state: State, names: Names, index: number): string | null => {
  const parent = parentPlace(state, index);
  if (parent !== null) return entityOf(state, names, parent);
  const entity = state.types[index]?.entity ?? null;
  return entity === null ? null : (names.entities[entity] ?? null);
};

const stamped = { created_at: 'now', updated_at: 'now' } as const;

/** The types of a state, what documents were found to be, and what was found in them. */
export const typeRows = (state: State, names: Names): Rows[] => {
  const categories = categoriesOf(state, names);
  const documents = state.documents.map((document, index) => ({ ...document, id: names.documents[index]?.id }));
  const texts = { name: 'x', description: '', includes: '', excludes: '', rules: [] };
  return [
    {
      table: 'ingestion.document_type',
      rows: names.types.map((code, index) => {
        const parent = parentPlace(state, index);
        const place = { parent_code: parent === null ? null : names.types[parent] };
        return { code, ...texts, ...place, entity_code: entityOf(state, names, index), ...stamped };
      }),
    },
    {
      table: 'ingestion.type_example',
      rows: state.types.flatMap(({ examples }, index) =>
        examples.flatMap((place) => {
          const found = names.documents[place];
          return found === undefined ? [] : [{ type_code: names.types[index], document_id: found.id }];
        }),
      ),
    },
    {
      table: 'ingestion.feature_category',
      rows: categories.map(({ typeCode, code }) => ({
        ...{ code, type_code: typeCode, name: 'x', description: '', kind: 'CHARACTERISTIC', ...stamped },
      })),
    },
    {
      table: 'ingestion.feature',
      rows: categories.flatMap(({ code: category_code, features }) =>
        features.map((code) => ({ category_code, code, name: 'x', phrases: {}, ...stamped })),
      ),
    },
    {
      table: 'ingestion.document_class',
      rows: documents.map(({ id, type }) => ({
        ...{ document_id: id, content_hash: 'x', taxonomy_version: 1, source: 'RULE', score: 1, margin: 1 },
        type_code: type === null ? null : (names.types[type] ?? null),
        ...{ evidence: [], awaits_vector: false, classified_at: 'now' },
      })),
    },
    {
      table: 'ingestion.document_feature',
      rows: documents
        .filter(({ hasFeatures }) => hasFeatures)
        .flatMap(({ id }) =>
          categories.flatMap(({ code: category_code, features }) =>
            features.map((code) => ({
              ...{ document_id: id, category_code, code, source: 'RULE', confidence: 1 },
              ...{ start_at: 0, end_at: 1, quote: 'x' },
            })),
          ),
        ),
    },
  ];
};
