import { HASHING } from '@acervo/models';
import type { Rows } from '../isolation/fixture-rows';
import { type Names, PAPERS, type State } from './state';

/** The index of embeddings that the papers of all states are in. */
export const indexRows = (): Rows => {
  const { model, revision, dimension, floor } = HASHING;
  const rows = [{ space_id: 1, model, revision, dimension, floor, state: 'LIVE' }];
  return { table: 'retrieval.embedding_space', rows };
};

/** Papers: documents that only retrieval has. The entities of a state have one after the other. */
const papersOf = ({ entities, papers }: Names): Record<string, unknown>[] =>
  Array.from({ length: PAPERS }, (_, index) => ({
    ...{ document_id: papers[index], code: `P${papers[index]}`, name: 'x', relative_path: 'x', path: 'x', summary: '' },
    ...{ location_code: 'P', location_ancestors: ['P'], entity_code: entities[index % entities.length] },
    ...{ revision: 1, withdrawn: false, origin: 'CARPETA', type_codes: [] },
  }));

/** The spaces of a state, and the papers that they gather. */
export const spaceRows = (state: State, names: Names, bucket: number): Rows[] => {
  const papers = papersOf(names);
  const expressionOf = (operand: number | null, index: number): object | null =>
    operand === null || index === 0
      ? null
      : { operation: 'union', spaceIdA: names.spaces[operand % index], spaceIdB: names.spaces[0] };
  return [
    { table: 'retrieval.document', rows: papers },
    {
      table: 'retrieval.live',
      rows: papers.map(({ document_id }) => ({
        ...{ bucket, space_id: 1, document_id, generation: 1, chunk_count: 1, since: 'now', has_vectors: true },
      })),
    },
    {
      table: 'retrieval.space',
      rows: state.spaces.map(({ entity, isShared, owner, operand }, index) => ({
        ...{ space_id: names.spaces[index], name: 'x', description: '', type: isShared ? 'ESPACIO' : 'AREA' },
        ...{ entity_code: entity === null ? null : names.entities[entity], version: 1, requested: 1 },
        owner_id: owner === null ? null : (names.users[owner % names.users.length]?.id ?? null),
        ...{ expression: expressionOf(operand, index), refreshed_at: 'now', created_at: 'now', updated_at: 'now' },
      })),
    },
    {
      table: 'retrieval.space_member',
      rows: state.spaces.flatMap(({ members }, index) =>
        members.map((place) => ({ space_id: names.spaces[index], version: 1, document_id: names.papers[place] })),
      ),
    },
  ];
};
