import { EngineDown } from '@acervo/contracts';

export const OPENSEARCH = 'OpenSearch';

/** The engine answered that it will not do this; nothing of what was sent is part of the message. */
export class OpenSearchRefused extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
  ) {
    super(`${OPENSEARCH} refused with status ${status} (${type}); see its log.`);
    this.name = 'OpenSearchRefused';
  }
}

/** An index that is written to is not there: its data was lost, or removed by somebody. It is filled anew. */
export class IndexLost extends Error {
  constructor() {
    super('An index of the group is missing; it is made and filled from the database again.');
    this.name = 'IndexLost';
  }
}

const MISSING = 'index_not_found_exception';
/** Answers that mean: not now. */
const LATER = new Set([429, 502, 503, 504]);

export const refusal = (status: number, type: string): Error =>
  LATER.has(status)
    ? new EngineDown(OPENSEARCH, type)
    : type === MISSING
      ? new IndexLost()
      : new OpenSearchRefused(status, type);
