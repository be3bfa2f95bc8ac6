/** Chunks of a document that are counted; a longer document has at least their text. */
export const COUNTED_CHUNKS = 64;

/**
 * The characters of the first chunks of the live generation `l`, as a scalar query. The parameters are those of the
 * bucket, the group and the embedding index.
 */
export const charactersSql = (bucket: string, group: string, embeddingIndex: string): string =>
  `(select coalesce(sum(s.end_at - s.start_at), 0)::int from retrieval.chunk s
     where s.bucket = ${bucket} and s.group_id = ${group} and s.space_id = ${embeddingIndex}
       and s.document_id = l.document_id and s.generation = l.generation and s.ordinal < ${COUNTED_CHUNKS})`;
