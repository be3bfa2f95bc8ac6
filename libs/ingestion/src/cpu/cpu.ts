/** Work for a thread: plain data in, plain data out. */
export interface CpuJob<I, O> {
  /** Names it in messages to a thread. */
  readonly name: string;
  /** Milliseconds after which it is ended with its thread; set for work on texts and patterns of users. */
  readonly deadlineMs?: number;
  run(input: I): O | Promise<O>;
}

/** A job; workers/jobs.ts lists it, so that threads know it. */
export const cpuJob = <I, O>(
  name: string,
  run: (input: I) => O | Promise<O>,
  limits: Pick<CpuJob<I, O>, 'deadlineMs'> = {},
): CpuJob<I, O> => ({ name, run, ...limits });

/** Runs a job in this thread. */
export const runJob = async <I, O>(job: CpuJob<I, O>, input: I): Promise<O> => job.run(input);

/** Runs jobs outside the event loop that answers requests. */
export abstract class Cpu {
  /**
   * @param urgent run before all waiting jobs
   * @throws DocumentRefused as itself, other errors with their name and message
   */
  abstract run<I, O>(job: CpuJob<I, O>, input: I, urgent?: boolean): Promise<O>;

  /** Frees the threads; running and waiting jobs fail. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
