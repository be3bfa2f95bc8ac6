import { newTrace, type TraceContext } from './trace-context';
import { workContext } from './work-context';

/** Codes, names of the product and counts: never content, a question, a token, an address or a path. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export interface SpanStart {
  /** One of few: what kind of work, with the code of a call, a topic or a stage. */
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** The final name, where it is known only at the end. */
  readonly name?: string;
  /** Code of the failure. */
  readonly failure?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** A piece of work with a beginning and an end. */
export interface Span {
  /** The parent context of the work that it causes. */
  readonly context: TraceContext;
  end(end?: SpanEnd): void;
}

const CODE = /^[\w.-]{1,60}$/;

/** The part of an error that may leave the service: its code or the name of its class, never its message. */
export const failureOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return error instanceof Error && CODE.test(error.name) ? error.name : 'Error';
};

/** Records spans of work. A trace continues whether it is recorded or not. */
export abstract class Tracer {
  /** Records nothing, and passes on the given trace. */
  static readonly none: Tracer = new (class extends Tracer {
    override start(_span: SpanStart, parent: TraceContext | undefined): Span {
      return { context: parent ?? newTrace(), end: () => undefined };
    }

    override close(): Promise<void> {
      return Promise.resolve();
    }
  })();

  /** Starts a span under its parent; without one it starts a trace. */
  abstract start(span: SpanStart, parent: TraceContext | undefined): Span;

  /** Sends the recorded spans. */
  abstract close(): Promise<void>;

  /** Runs work in a span under the current one. */
  async run<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
    const here = workContext.get();
    const span = this.start(start, here?.trace);
    try {
      const result = await workContext.run({ ...here, trace: span.context }, work);
      span.end();
      return result;
    } catch (error) {
      span.end({ failure: failureOf(error) });
      throw error;
    }
  }
}
