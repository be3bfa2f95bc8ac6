import type { RouteDescription } from '@acervo/platform-http';

export const listsQueue: RouteDescription = {
  summary: 'List the work on visible documents',
  description:
    'The latest steps of ingestion, of one process or one status where these are named. `reason` explains a step that failed; it is QUOTA where a document waits for pages that the plan does not include. With DOCUMENTS or WORKSPACES alone, `process=SKILL` lists the runs of skills that the caller requested; anything else is 403.',
  example: {
    parameters: { status: 'IN_PROGRESS', limit: 20 },
    answer: {
      items: [
        {
          document_code: 'D10003',
          document_name: 'acta-2025-01-comision-de-riego.md',
          process: 'VECTORS',
          status: 'IN_PROGRESS',
          attempts: 1,
          reason: null,
          created_at: '2026-11-26T02:56:19.545Z',
          updated_at: '2026-11-26T02:56:21.058Z',
        },
      ],
      total: 1,
    },
  },
};

export const listsRuns: RouteDescription = {
  summary: 'List the latest scans of visible locations and how far their work is',
  description: 'Each run counts the files that a scan of one folder saw and the documents that still wait for work.',
  example: {
    parameters: { limit: 10 },
    answer: {
      runs: [
        {
          ...{ run: 1, location_code: 'L10000', status: 'COMPLETED' },
          ...{ seen: 21, added: 21, changed: 0, missing: 0, ignored: 0, waiting: 0 },
          notice: null,
          started_at: '2026-11-26T02:55:58.692Z',
          scanned_at: '2026-11-26T02:56:00.659Z',
        },
      ],
    },
  },
};
