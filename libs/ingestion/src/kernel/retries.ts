/** How long a document with a transient failure rests; a change of its file ends the rest. */
const REST = '1 hour';

/** Whether a failed document is retried unchanged. A cancelled document has no failure time, so it does not rest. */
export const RESTED = `(failed_at is null or failed_at < now() - interval '${REST}')`;
