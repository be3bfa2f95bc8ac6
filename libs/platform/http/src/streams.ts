import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext, StreamableFile, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import { encode } from '@acervo/contracts';

/** What ends an answer that is sent while it is made. */
export interface StreamSignals {
  /** Aborted when the client is gone: all work on the answer ends. */
  readonly gone: AbortSignal;
  /** Aborted when the process stops: the handler gives its last frame and ends. */
  readonly ending: AbortSignal;
}

/** The frames of one route: their class, and the frame that says why a stream ends early. */
export interface StreamedFrames {
  readonly type: Type;
  readonly failure: (error: unknown) => object;
}

const signals = new WeakMap<IncomingMessage, StreamSignals>();
const begun = new WeakMap<ServerResponse, bigint>();

/** When a stream had its first frame, by `process.hrtime`; undefined for any other answer. */
export const streamBegan = (response: ServerResponse): bigint | undefined => begun.get(response);

/** The signals of a request whose answer is a stream. */
const signalsOf = (request: IncomingMessage): StreamSignals => {
  const found = signals.get(request);
  if (found === undefined) throw new Error('Only a route that declares @AnswersStream has the signals of a stream.');
  return found;
};

/** The signals of a stream, as a parameter of a route that declares `@AnswersStream`. */
export const Stream = createParamDecorator((_data: unknown, context: ExecutionContext): StreamSignals =>
  signalsOf(context.switchToHttp().getRequest<Request>()),
);

const MOST_LISTENERS = 20;

/** Prepares the signals of a stream; called before its handler. */
export const openStream = (request: IncomingMessage, response: ServerResponse, ending: AbortSignal): void => {
  const gone = new AbortController();
  // Every layer of a request listens once, and more than ten do for a stream.
  response.setMaxListeners(MOST_LISTENERS);
  response.once('close', () => gone.abort());
  signals.set(request, { gone: gone.signal, ending });
};

/** A handler that does not end within this time after the process began to stop is cut with the frame of a failure. */
const LONGEST_END_MS = 5_000;
/** Bytes that wait in the process for the reader of one stream, beside those of its connection. */
const BUFFERED_BYTES = 16_384;

/** The process stops, and the handler of a stream gave no last frame. */
export class StreamCut extends Error {
  constructor() {
    super('The stream was cut because the process stops.');
    this.name = 'StreamCut';
  }
}

/**
 * Ends the wait for a frame some time after the process began to stop. It keeps one wait alone: a race of each frame
 * with one promise would keep every frame until the stream ends.
 */
class EndOfWait {
  private timer: NodeJS.Timeout | undefined;
  private isCut = false;
  private cut: (error: StreamCut) => void = () => undefined;

  constructor(
    private readonly ending: AbortSignal,
    private readonly longestMs: number,
  ) {
    if (ending.aborted) this.begin();
    else ending.addEventListener('abort', this.begin, { once: true });
  }

  /** @throws StreamCut */
  waitFor<T>(frame: Promise<T>): Promise<T> {
    if (this.isCut) return Promise.reject(new StreamCut());
    return new Promise<T>((resolve, reject) => {
      this.cut = reject;
      frame.then(resolve, reject);
    });
  }

  forget(): void {
    clearTimeout(this.timer);
    this.ending.removeEventListener('abort', this.begin);
  }

  private readonly begin = (): void => {
    this.timer = setTimeout(() => {
      this.isCut = true;
      this.cut(new StreamCut());
    }, this.longestMs);
    this.timer.unref();
  };
}

const lineOf = (type: Type, frame: object): string => `data: ${JSON.stringify(encode(type, frame))}\n\n`;

/** How a stream is cut and what its errors are reported to. */
export interface StreamEnd {
  readonly longestMs?: number;
  readonly failed: (error: unknown) => void;
}

/** The frames of a stream as they are written; one whose source fails ends with the frame of the failure. */
async function* written(
  first: IteratorResult<object, unknown>,
  source: AsyncIterator<object>,
  { type, failure }: StreamedFrames,
  { ending, gone }: StreamSignals,
  { longestMs = LONGEST_END_MS, failed }: StreamEnd,
): AsyncGenerator<string> {
  const wait = new EndOfWait(ending, longestMs);
  try {
    for (let next = first; next.done !== true; next = await wait.waitFor(source.next())) yield lineOf(type, next.value);
  } catch (error) {
    if (gone.aborted) return;
    failed(error);
    yield lineOf(type, failure(error));
  } finally {
    wait.forget();
    // A source that waits for something else than its signals ends behind this answer.
    void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

/**
 * The frames of a handler as the body of an answer: server-sent events, each encoded by its class, taken from the
 * handler as fast as the client reads. Nothing is written before the first frame, so an error before it is an ordinary
 * answer; a later one is the last frame. @throws what the handler throws before its first frame
 */
export const streamOf = async (
  source: AsyncIterable<object>,
  frames: StreamedFrames,
  context: ExecutionContext,
  end: StreamEnd,
): Promise<StreamableFile> => {
  const [request, response] = [
    context.switchToHttp().getRequest<Request>(),
    context.switchToHttp().getResponse<Response>(),
  ];
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  begun.set(response, process.hrtime.bigint());
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  const lines = written(first, iterator, frames, signalsOf(request), end);
  return new StreamableFile(Readable.from(lines, { objectMode: false, highWaterMark: BUFFERED_BYTES }));
};
