import type { transferredFolders } from '@acervo/contracts';
import type { TransferTable } from '@acervo/platform-database';

/** What steps made of a document stays behind with the objects: it is made again from the files. */
const MADE = [
  ...['title', 'summary', 'language', 'pages', 'chunk_count', 'chunks_digest', 'indexed_chunks', 'author', 'stated_at'],
  ...[
    'original_object',
    'text_object',
    'chunks_object',
    'vectors_object',
    'embedding',
    'vectors_version',
    'handed_over',
    'run',
    'failed_at',
    'change_time',
  ],
] as const;

/**
 * What is carried of a group's folders. A document keeps its code, its place and the digest of its bytes; until a scan
 * finds its file it counts as missing. A deleted one stays deleted.
 */
export const folderTables: readonly (TransferTable & { readonly name: (typeof transferredFolders)[number] })[] = [
  { name: 'counter', key: ['name'] },
  // Nobody has been told of them where they go: the next scan does.
  { name: 'location', key: ['code'], instead: { revision: '0' } },
  {
    name: 'document',
    key: ['document_id'],
    omit: MADE,
    instead: {
      status: `case when t.deleted_at is null then 'NO_ENCONTRADO' else t.status end`,
      reason: 'null::text',
      retry_on_scan: 'false',
    },
  },
];

/** What is left behind: work, what it made, the record of scans, and what is compared and held only while it runs. */
export const leftBehind = [
  ...['task', 'step_result', 'earlier_vectors', 'run', 'live_space', 'scan_turn', 'reconciliation'],
] as const;
