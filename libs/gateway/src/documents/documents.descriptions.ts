import type { RouteDescription } from '@acervo/platform-http';
import { document, fileHints } from '../examples';

const { code, name, summary, location, url } = document;

export const listsDocuments: RouteDescription = {
  summary: 'List the documents that the caller may see',
  description:
    'Pages of documents in the order of their paths, of one status or of one folder and those below it where these are named. `fs` says where the original of each document is.',
  example: {
    parameters: { status: 'VECTORIZED', limit: 20, page: 1, location_code: 'L10000' },
    answer: { documents: [document], total: 1, page: 1, limit: 20 },
  },
  errors: ['NOT_FOUND'],
};

export const searches: RouteDescription = {
  summary: 'Search documents by meaning and by words',
  description:
    'Ranks passages by their words and by their meaning, fuses both rankings and groups the passages by document. A search counts as one retrieval of the plan. The answer quotes passages; it never has the whole text of a document.',
  example: {
    request: { query: 'turnos de riego', limit: 1 },
    answer: {
      documents: [
        {
          ...{ code, name, summary, location, url },
          rrf_score: 0.0955,
          max_similarity: 0.19,
          rerank_score: null,
          chunks: [
            {
              text: 'Los turnos de noche empiezan a las diez y duran cuatro horas.',
              page: null,
              extra: { similarity: 0.19, chunk_number: 0, embedded: true },
            },
          ],
          fs: fileHints,
        },
      ],
      total_documents: 1,
      total_chunks: 1,
      duration_ms: 18.4,
    },
  },
  errors: ['QUOTA_EXCEEDED', 'NOT_FOUND'],
};

export const showsDocument: RouteDescription = {
  summary: 'Show one document, and why it failed where it did',
  description:
    'State, summary, language, size and place of a document. `reason` explains the states ERROR and UNSUPPORTED; it is QUOTA where the pages of the plan are used up and the document waits as SUMMARIZED.',
  example: {
    parameters: { document_code: 'D10003' },
    answer: {
      ...document,
      reason: null,
      language: 'es',
      size_bytes: 1_204,
      pages: 1,
      chunk_count: 1,
      created_at: '2026-11-26T02:56:00.040Z',
    },
  },
};

export const showsEdges: RouteDescription = {
  summary: 'Show the folder, type and features of a document, and the documents that share them',
  description:
    'The paths from the top to the type and to the folder of a document, its features, and the visible documents that share one of these. Neighbours with more and rarer shared edges come first.',
  example: {
    parameters: { document_code: 'D10003', neighbor_limit: 50 },
    answer: {
      document,
      type_path: [],
      location_path: [
        { code: 'L10000', name: 'library' },
        { code: 'L10001', name: 'actas' },
      ],
      features: [],
      neighbors_two_hops: [],
    },
  },
};
