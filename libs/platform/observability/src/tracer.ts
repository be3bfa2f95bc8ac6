import { newTrace, type TraceContext } from './trace-context';
import { workContext } from './work-context';

/** Codes, names of ours and counts: never content, a question, a token, an address or a path. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export interface SpanStart {
  /** One of few: what kind of work, with the code of a call, a topic or a stage. */
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** Where it is known only now. */
  readonly name?: string;
  /** Code of what went wrong. */
  readonly failure?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** A piece of work with a beginning and an end. */
export interface Span {
  /** What the work that it leads to stands under. */
  readonly context: TraceContext;
  end(end?: SpanEnd): void;
}

const CODE = /^[\w.-]{1,60}$/;

/** What may be told of an error outside: its code or the name of its class, never its message. */
export const failureOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return error instanceof Error && CODE.test(error.name) ? error.name : 'Error';
};

/** Tells what is worked on. A trace goes on whether anybody records it or not. */
export abstract class Tracer {
  /** Records nothing, and hands on the trace that it is given. */
  static readonly none: Tracer = new (class extends Tracer {
    override start(_span: SpanStart, parent: TraceContext | undefined): Span {
      return { context: parent ?? newTrace(), end: () => undefined };
    }

    override close(): Promise<void> {
      return Promise.resolve();
    }
  })();

  /** Begins a span under the one that led to it; without one it begins a trace. */
  abstract start(span: SpanStart, parent: TraceContext | undefined): Span;

  /** Hands over what was recorded. */
  abstract close(): Promise<void>;

  /** Does work as a span under the one in progress. */
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
