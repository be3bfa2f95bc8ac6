import { AsyncLocalStorage } from 'node:async_hooks';
import { readTraceparent, type TraceContext, traceparentOf } from './trace-context';

/** The context of work: part of each of its log lines, and passed to the calls and events that it causes. */
export interface WorkContext {
  readonly requestId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly trace?: TraceContext | undefined;
}

const current = new AsyncLocalStorage<WorkContext>();

/** The context of the work in progress; set with `run`, never entered. */
export const workContext = {
  run: <T>(context: WorkContext, work: () => T): T => current.run(context, work),
  get: (): WorkContext | undefined => current.getStore(),
  /** The trace of the work in progress, in the form of rows and headers; null where there is none. */
  traceparent: (): string | null => {
    const trace = current.getStore()?.trace;
    return trace === undefined ? null : traceparentOf(trace);
  },
};

/** Runs a part of work in its own trace, where it has one. */
export const inTraceOf = <T>({ trace }: { readonly trace?: string | null | undefined }, work: () => T): T => {
  const remoteParent = readTraceparent(trace);
  return remoteParent === undefined ? work() : workContext.run({ ...workContext.get(), trace: remoteParent }, work);
};

/** Runs work that no request caused, outside the current trace. */
export const outsideTraces = <T>(work: () => T): T => workContext.run({ ...workContext.get(), trace: undefined }, work);
