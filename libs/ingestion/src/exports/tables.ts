import type { transferredFolders } from '@acervo/contracts';
import type { TransferTable } from '@acervo/platform-database';

/** Outputs of steps are not transferred, nor are their objects: the steps make them again from the files. */
const MADE = [
  'title',
  'summary',
  'language',
  'pages',
  'chunk_count',
  'chunks_digest',
  'indexed_chunks',
  'author',
  'stated_at',
  'indexed_generation',
  'extraction_report',
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
  'corpus_pages',
] as const;

/**
 * The tables of a group's folders that are transferred. A document keeps its code, its place and the digest of its
 * bytes; it counts as missing until a scan finds its file. A deleted one stays deleted.
 */
export const folderTables: readonly (TransferTable & { readonly name: (typeof transferredFolders)[number] })[] = [
  { name: 'counter', key: ['name'] },
  // No location is published in the target installation yet: its next scan publishes them.
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
  { name: 'web_root', key: ['location_code'], instead: { research: 'null::jsonb' } },
  // The pages are fetched again: their content is not transferred.
  {
    name: 'web_page',
    key: ['location_code', 'url'],
    omit: [
      'name',
      'media_type',
      'size',
      'object',
      'content_hash',
      'etag',
      'last_modified',
      'checked_run',
      'checked_at',
    ],
    instead: { absences: '0', problem: 'null::text' },
  },
  // Its documents are counted again when they are found.
  { name: 'corpus', key: ['group_id'], instead: { pages: '0', plan_revision: '0', full_since: 'null::timestamptz' } },
  // Without a version the documents of the target installation would not be classified.
  { name: 'taxonomy', key: ['version'] },
  { name: 'document_type', key: ['code'] },
  { name: 'type_example', key: ['type_code', 'document_id'] },
  { name: 'feature_category', key: ['code'] },
  { name: 'feature', key: ['category_code', 'code'] },
];

/**
 * Tables that are not transferred: tasks, their results, runs, the state of running comparisons and locks, what documents
 * were classified as, what skills found in them and in spaces, and the pages of an export itself.
 */
export const leftBehind = [
  'task',
  'step_result',
  'earlier_vectors',
  'run',
  'live_space',
  'scan_turn',
  'reconciliation',
  'export_page',
  // Made again from the files and the types.
  'taxonomy_change',
  'document_class',
  'document_feature',
  // Made again on request.
  'document_skill',
  'space_skill',
  // Research of the target installation begins again.
  'web_research_step',
] as const;
