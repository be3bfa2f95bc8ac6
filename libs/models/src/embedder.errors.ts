/** A failure of a request to the embedder. The message never contains a text or a key. */
export abstract class EmbedderFailure extends Error {}

/** The embedder is unavailable now and may be available later. */
export class EmbedderUnavailable extends EmbedderFailure {
  constructor(
    why: string,
    /** The wait that the server requested; null if it named none. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`The embedder cannot be asked now (${why}); see that it runs and is reachable.`);
    this.name = 'EmbedderUnavailable';
  }
}

/** The circuit breaker is open after repeated failures. */
export class EmbedderPaused extends EmbedderFailure {
  constructor() {
    super('The embedder failed several times in a row and is not called for a moment; check that it runs.');
    this.name = 'EmbedderPaused';
  }
}

/** The embedder refused the request; a retry gives the same answer. */
export class EmbedderRefused extends EmbedderFailure {
  constructor(status: number) {
    super(`The embedder refused with status ${status}; check its address, its key and the name of the model.`);
    this.name = 'EmbedderRefused';
  }
}

/** The embedder gave an answer of another form than requested. */
export class EmbedderAnswerUnusable extends EmbedderFailure {
  constructor(why: string) {
    super(`The answer of the embedder cannot be used: ${why}.`);
    this.name = 'EmbedderAnswerUnusable';
  }
}
