/** How long a document rests that failed for a reason which may pass; sooner where its file changes. */
const REST = '1 hour';

/** Whether a document that failed is tried again as it is. Nobody who cancels its work makes it fail. */
export const RESTED = `(failed_at is null or failed_at < now() - interval '${REST}')`;
