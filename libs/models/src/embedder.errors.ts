/** Something is wrong between us and the embedder. Nothing of a text or a key is ever part of the message. */
export abstract class EmbedderFailure extends Error {}

/** The embedder cannot be asked now; later it may. */
export class EmbedderUnavailable extends EmbedderFailure {
  constructor(
    why: string,
    /** How long the server asked to be left alone, where it said so. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`The embedder cannot be asked now (${why}); see that it runs and is reachable.`);
    this.name = 'EmbedderUnavailable';
  }
}

/** It failed so often in a row that it is left alone for a moment. */
export class EmbedderPaused extends EmbedderFailure {
  constructor() {
    super('The embedder failed several times in a row and is left alone for a moment; see that it runs.');
    this.name = 'EmbedderPaused';
  }
}

/** The embedder answered that it will not do this: asking again changes nothing. */
export class EmbedderRefused extends EmbedderFailure {
  constructor(status: number) {
    super(`The embedder refused with status ${status}; check its address, its key and the name of the model.`);
    this.name = 'EmbedderRefused';
  }
}

/** The embedder answered something that is not what was asked for. */
export class EmbedderAnswerUnusable extends EmbedderFailure {
  constructor(why: string) {
    super(`The answer of the embedder cannot be used: ${why}.`);
    this.name = 'EmbedderAnswerUnusable';
  }
}
