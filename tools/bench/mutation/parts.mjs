// What is mutated, and the fast suites that must notice it.

/**
 * A part is held to the goal as a whole. Each of its projects is mutated alone, by its own suites.
 * `mutated` and `suites` are paths below the project.
 */
export const PARTS = {
  rbac: [
    {
      project: 'libs/rbac',
      mutated: ['src/operations.ts', 'src/requirements.ts', 'src/route.ts', 'src/scope.ts'],
      suites: ['src/*.spec.ts'],
    },
  ],
  visibility: [
    { project: 'libs/rbac', mutated: ['src/visibility.ts'], suites: ['src/*.spec.ts'] },
    {
      project: 'libs/retrieval',
      mutated: [
        'src/legs/leg-sql.ts',
        'src/legs/opensearch/lexical-query.ts',
        'src/locations/location.store.ts',
        'src/search/hydration.store.ts',
        'src/search/request-visibility.ts',
      ],
      suites: ['src/legs/opensearch/opensearch.spec.ts', 'test/isolation.spec.ts', 'test/visible-chunks.spec.ts'],
    },
    {
      project: 'libs/ingestion',
      mutated: [
        'src/documents/document-snapshot.ts',
        'src/documents/edges.store.ts',
        'src/documents/listing.store.ts',
        'src/locations/location-listing.store.ts',
      ],
      suites: ['test/visible-documents.spec.ts'],
    },
  ],
  spaces: [
    {
      project: 'libs/retrieval',
      mutated: ['src/space-members/space-access.ts'],
      suites: ['test/space-access.spec.ts'],
    },
  ],
  executor: [
    {
      project: 'libs/operations',
      mutated: ['execution.handlers.ts', 'idempotency.store.ts', 'idempotency.ts', 'preview-tokens.ts'].map(
        (name) => `src/execution/${name}`,
      ),
      suites: ['src/execution/*.spec.ts', 'test/execution.spec.ts', 'test/idempotency.spec.ts'],
    },
  ],
};
