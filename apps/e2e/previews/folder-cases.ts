import { type Evidence, isOpen, lost, type Outcome, type Row, sumOf, type PreviewCase } from './evidence';

/** Links that the operation removed. */
const lostLinks = ({ before, after }: Outcome): Row[] => {
  const linkOf = (row: Row): string => `${String(row['area_code'])} ${String(row['location_code'])}`;
  const still = new Set(after['auth.area_location'].map(linkOf));
  return before['auth.area_location'].filter((row) => !still.has(linkOf(row)));
};

/** Whether something is in a folder, or is the folder itself. */
const liesIn =
  (code: unknown) =>
  (row: Row): boolean =>
    row['deleted_at'] === null && (row['location_ancestors'] as unknown[]).includes(code);

export const linkRemoval: PreviewCase = {
  // Every second existing link, and one possible new one.
  inputs: (state, { areas, folders }) =>
    state.areas.flatMap((area, index) =>
      [...area.folders.filter((_, place) => place % 2 === index % 2), 0].map((place) => ({
        ...{ area_code: areas[index], location_code: folders[place] },
      })),
    ),
  done: (outcome) => {
    const { before, after } = outcome;
    const gone = lostLinks(outcome);
    const areas = gone.map((row) => row['area_code']);
    const rowsIn = (table: keyof Evidence): number =>
      gone.reduce((sum, { location_code }) => sum + after[table].filter(liesIn(location_code)).length, 0);
    return {
      ...{ area_code: areas.join(), location_code: gone.map((row) => row['location_code']).join() },
      users: before['auth.user_entity'].filter((row) => areas.includes(row['area_code'])).length,
      keys: before['auth.api_key'].filter((row) => areas.includes(row['fixed_area']) && row['revoked_at'] === null)
        .length,
      ...{ locations: rowsIn('ingestion.location'), documents: rowsIn('ingestion.document') },
    };
  },
};

export const folderDeletion: PreviewCase = {
  goesOn: true,
  inputs: (_state, { folders }) => folders.slice(0, 2).map((code) => ({ location_code: code })),
  done: (outcome) => {
    const { input, before, after } = outcome;
    const isShown = ({ removed_at }: Row): boolean => removed_at === null;
    const now = new Map(after['ingestion.document'].map((row) => [row['document_id'], row]));
    const gone = before['ingestion.document'].filter(
      (row) => row['deleted_at'] === null && (now.get(row['document_id'])?.['deleted_at'] ?? null) !== null,
    );
    const ids = gone.map((row) => row['document_id']);
    const remaining = gone.map((row) => now.get(row['document_id']) ?? {});
    return {
      location_code: input['location_code'],
      locations: lost(outcome, 'ingestion.location', isShown),
      documents: gone.length,
      chunks: sumOf(gone, 'indexed_chunks') - sumOf(remaining, 'indexed_chunks'),
      waiting: lost(outcome, 'ingestion.task', (row) => ids.includes(row['subject_id']) && isOpen(row)),
      areas: new Set(lostLinks(outcome).map((row) => row['area_code'])).size,
    };
  },
};
