import { EmbedderUnavailable } from '../embedder.errors';
import type { Embedded, SessionRequest } from './session-messages';

/** One text of a request, on its way to a thread. */
export interface QueuedText {
  readonly request: SessionRequest;
  /** Threads that died with it. */
  failures: number;
  /** Whether the answer is still wanted. */
  isWanted(): boolean;
  done(embedded: Embedded): void;
  fail(error: Error): void;
}

const AGAIN_MS = 1_000;

/**
 * Texts of several requests that wait for threads. Requests take turns text by text, so that a small one does not wait
 * for a large one. The number of waiting texts is bounded.
 */
export class TextQueue {
  private readonly requests: QueuedText[][] = [];
  private count = 0;

  constructor(private readonly most: number) {}

  /** Texts that wait. */
  get length(): number {
    return this.count;
  }

  /**
   * Adds the texts of a request; resolves with their vectors, in order.
   * @param signal gives the request up: its texts leave the queue
   * @throws EmbedderUnavailable at once when too many texts wait
   */
  add(requests: readonly SessionRequest[], signal?: AbortSignal): Promise<Embedded[]> {
    if (this.count + requests.length > this.most)
      return Promise.reject(new EmbedderUnavailable('too many texts wait for it', AGAIN_MS));
    if (requests.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const results: Embedded[] = [];
      let [left, isOpen] = [requests.length, true];
      const fail = (error: Error): void => {
        isOpen = false;
        reject(error);
      };
      const texts = requests.map((request, index): QueuedText => ({
        request,
        failures: 0,
        isWanted: () => isOpen && signal?.aborted !== true,
        done: (embedded) => {
          results[index] = embedded;
          left -= 1;
          if (left === 0) resolve(results);
        },
        fail,
      }));
      signal?.addEventListener('abort', () => fail(new EmbedderUnavailable('the request was given up')), {
        once: true,
      });
      this.requests.push(texts);
      this.count += texts.length;
    });
  }

  /** The next text whose answer is wanted. */
  next(): QueuedText | undefined {
    for (let texts = this.requests.shift(); texts !== undefined; texts = this.requests.shift()) {
      const text = texts.shift();
      if (text?.isWanted() !== true) {
        this.count -= texts.length + (text === undefined ? 0 : 1);
        continue;
      }
      if (texts.length > 0) this.requests.push(texts);
      this.count -= 1;
      return text;
    }
    return undefined;
  }

  /** Puts back a text whose thread died; it is the next one. */
  return(text: QueuedText): void {
    this.requests.unshift([text]);
    this.count += 1;
  }

  /** Fails everything that waits. */
  clear(error: Error): void {
    for (let text = this.next(); text !== undefined; text = this.next()) text.fail(error);
  }
}
