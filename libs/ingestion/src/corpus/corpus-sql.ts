/** Of a row of `ingestion.document`: it is in no search, and a scan or a user has to bring it back. */
export const isGone = (row: string): string =>
  `(${row}.deleted_at is not null or ${row}.status in ('NO_ENCONTRADO', 'NO_SOPORTADO')
    or ${row}.status = 'ERROR' and ${row}.handed_over is null)`;

/**
 * Of a row of `ingestion.document`: its pages in the corpus. A document that no program has changed since before pages
 * were counted has those of its text.
 */
export const pagesOf = (row: string): string =>
  `coalesce(${row}.corpus_pages,
    case when ${row}.handed_over is not null and not ${isGone(row)} then ${row}.pages end, 0)`;
