import { AsyncLocalStorage } from 'node:async_hooks';
import { readTraceparent, type TraceContext, traceparentOf } from './trace-context';

/** What each log line of one piece of work carries, and what goes along with the calls and events that it leads to. */
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
  /** The trace of the work in progress as rows and headers carry it; null where there is none. */
  traceparent: (): string | null => {
    const trace = current.getStore()?.trace;
    return trace === undefined ? null : traceparentOf(trace);
  },
};

/** Does a part of the work in the trace that this part came with, where it came with one. */
export const inTraceOf = <T>({ trace }: { readonly trace?: string | null | undefined }, work: () => T): T => {
  const told = readTraceparent(trace);
  return told === undefined ? work() : workContext.run({ ...workContext.get(), trace: told }, work);
};

/** Begins what nobody asked for, so that it stands in a trace of its own. */
export const outsideTraces = <T>(work: () => T): T => workContext.run({ ...workContext.get(), trace: undefined }, work);
