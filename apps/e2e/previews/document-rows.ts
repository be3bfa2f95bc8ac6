import { randomUUID } from 'node:crypto';
import type { Rows } from '../isolation/fixture-rows';
import { GONE_BEFORE, inAnHour, type Names, type State } from './state';

const before = <T>(list: readonly T[], place: number | null, index: number): T | null =>
  place === null || index === 0 ? null : (list[place % index] ?? null);

const objectsOf = (code: string, isStored: boolean): Record<string, string | null> =>
  Object.fromEntries(
    ['original_object', 'text_object', 'chunks_object', 'vectors_object'].map((column) => [
      column,
      isStored ? `${code}-${column}` : null,
    ]),
  );

/** The path from the root to a folder. */
const wayTo = ({ folders }: Names, place: number): readonly string[] =>
  place === GONE_BEFORE ? [folders[0] ?? '', folders[place] ?? ''] : folders.slice(0, place + 1);

/** Location columns of something in a folder. */
const folderOf = (names: Names, place: number): Record<string, unknown> => ({
  ...{ location_code: names.folders[place], root_code: names.folders[0] },
  ...{ location_ancestors: wayTo(names, place), entity_code: names.entities[0] },
});

const folderRow = (names: Names, place: number): Record<string, unknown> => {
  const code = names.folders[place] ?? '';
  const { location_code: _, ...where } = folderOf(names, place);
  return {
    ...{ code, parent_code: wayTo(names, place).at(-2) ?? null, name: code, ...where },
    ...{ relative_path: wayTo(names, place).slice(1).join('/'), device: '1', inode: code },
    root_path: place === 0 ? `/previews/${code}` : null,
    removed_at: place === GONE_BEFORE ? 'now' : null,
  };
};

/**
 * The rows of folders, documents and their tasks. No worker takes the tasks: they are delayed or leased for an hour.
 */
export const documentRows = (state: State, names: Names): Rows[] => {
  const [root = ''] = names.folders;
  const depths: number[] = [];
  const carriers: (string | null)[] = [];
  const places: number[] = [];
  const rows = state.documents.map((document, index) => {
    const { id, code } = names.documents[index] ?? { id: '', code: '' };
    const parent = before(names.documents, document.parent, index);
    const place = parent === null ? -1 : names.documents.indexOf(parent);
    depths.push(parent === null ? 0 : (depths[place] ?? 0) + 1);
    carriers.push(parent === null ? null : (carriers[place] ?? parent.id));
    places.push(places[place] ?? document.folder);
    return {
      ...{ document_id: id, code, ...folderOf(names, places[index] ?? 0), name: `${code}.txt`, path: code },
      ...{ relative_path: `${code}.txt`, size: 1, mtime: '1', settings_hash: 'x', status: document.status },
      ...{ content_hash: document.isStored ? code : null, ...objectsOf(code, document.isStored) },
      ...{ retry_on_scan: false, revision: 3, generation: 2, chunk_count: document.cut, ingestion_order: 5 },
      ...{ indexed_chunks: document.indexed, handed_over: document.indexed === null ? null : 2 },
      ...{ parent_id: parent?.id ?? null, carrier_id: carriers[index], depth: depths[index] },
      ...{ run: document.run ? names.run : null, deleted_at: document.deleted ? 'now' : null },
      ...{ content_at: 'now', created_at: 'now', updated_at: 'now' },
    };
  });
  const tasks = state.documents.flatMap(({ work }, index) =>
    work.map((status) => ({
      ...{ subject_id: names.documents[index]?.id, stage: `previews-${status.toLowerCase()}`, generation: 2, status },
      ...{ priority: 0, attempts: 0, deaths: 0, not_before: inAnHour(), payload: {}, created_at: 'now' },
      ...{ updated_at: inAnHour(), lease: randomUUID(), leased_until: status === 'LEASED' ? inAnHour() : null },
    })),
  );
  return [
    { table: 'ingestion.location', rows: names.folders.map((_, place) => folderRow(names, place)) },
    { table: 'ingestion.run', rows: [{ run: names.run, run_id: randomUUID(), location_code: root }] },
    { table: 'ingestion.document', rows },
    { table: 'ingestion.task', rows: tasks },
  ];
};
