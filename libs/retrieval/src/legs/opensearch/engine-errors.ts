import { EngineDown } from '@acervo/contracts';

export const OPENSEARCH = 'OpenSearch';

/** The engine refused a request; the message contains nothing of the request. */
export class OpenSearchRefused extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
  ) {
    super(`${OPENSEARCH} refused with status ${status} (${type}); see its log.`);
    this.name = 'OpenSearchRefused';
  }
}

/**
 * An index that is written to is missing, since its data was lost or removed, and is filled again; or it was created
 * by an earlier release and lacks a field, which it gets.
 */
export class IndexLost extends Error {
  constructor() {
    super('An index of the group is missing or lacks a field; it is made and filled from the database again.');
    this.name = 'IndexLost';
  }
}

const MISSING = new Set(['index_not_found_exception', 'strict_dynamic_mapping_exception']);
/** Statuses that mean: retry later. */
const LATER = new Set([429, 502, 503, 504]);

export const refusal = (status: number, type: string): Error =>
  LATER.has(status)
    ? new EngineDown(OPENSEARCH, type)
    : MISSING.has(type)
      ? new IndexLost()
      : new OpenSearchRefused(status, type);
