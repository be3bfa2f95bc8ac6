import type { RouteDescription } from '@acervo/platform-http';
import { document, space } from '../examples';

const parameters = { space_id: 1 };
const { code, name, summary, location, url, document_type_code } = document;
const digest = {
  ...{ skill_code: 'SPACE-DIGEST', version: '1', run_id: '019abcde-0000-7000-8000-000000000001' },
  created_at: '2026-11-26T02:56:19.545Z',
  ...{ dropped: 0, omitted: 4 },
  statements: [
    {
      text: 'La comisión acuerda repartir el agua por turnos.',
      ...{ value: null, label: null },
      citations: [
        {
          ...{ document_code: code, page: null, start_at: 120, end_at: 168 },
          quote: 'La comisión acuerda repartir el agua por turnos.',
        },
      ],
    },
  ],
  derived_from: [{ document_code: code, revision: 3 }],
};
const member = { code, name, summary, location, url, document_type_code };

export const listsSpaces: RouteDescription = {
  summary: 'List the spaces that the caller sees',
  description: 'Own working sets (AREA) and shared sets (SPACE). `document_count` counts what the caller may see.',
  example: { parameters: { limit: 20 }, answer: { spaces: [space], total: 1, next_cursor: null } },
};

export const composesSpaces: RouteDescription = {
  summary: 'Make a space of two others',
  description:
    'Gathers the union, intersection, difference or symmetric difference of two visible spaces. A refresh gathers it again from the same two.',
  example: {
    request: { operation: 'intersection', space_id_a: 1, space_id_b: 2, name: 'Riego y sequía' },
    answer: {
      ...space,
      space_id: 3,
      name: 'Riego y sequía',
      criteria: null,
      expression: { operation: 'intersection', space_id_a: 1, space_id_b: 2 },
    },
  },
  errors: ['NOT_FOUND'],
};

export const showsSpace: RouteDescription = {
  summary: 'Show a space, its first documents and what skills found in all of them',
  description:
    'The space and, by code, as many of its documents as `document_limit` allows. `skill_results` has the results of skills over the space; one is shown only to readers who see every document that it cites.',
  example: {
    parameters: { ...parameters, document_limit: 20 },
    answer: { space, documents: [member], total_documents: 21, skill_results: [digest] },
  },
};

export const refreshesSpace: RouteDescription = {
  summary: 'Gather the documents of a space again',
  description: 'Readers see the earlier documents until the new ones are complete.',
  example: { parameters, answer: space },
};

export const promotesSpace: RouteDescription = {
  summary: 'Share a working set: an AREA becomes a SPACE',
  description: 'Readers of its entity see the space from now on, each with the documents that they may see.',
  example: { parameters, answer: { ...space, type: 'SPACE' } },
};

export const readsSpace: RouteDescription = {
  summary: 'Read a space: count it, list its documents, find passages, or read how documents begin',
  description:
    '`count` answers the number alone, `manifest` the documents, `chunks` the passages for a `query`, `text` how each document begins. No resolution gives the whole text of a document.',
  example: {
    parameters,
    request: { resolution: 'manifest', limit: 50 },
    answer: { resolution: 'manifest', total: 1, items: [member] },
  },
  errors: ['QUOTA_EXCEEDED'],
};
