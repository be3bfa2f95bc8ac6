import { type JobInput, type JobName, type JobOutput, jobs } from '../workers/jobs';

type Job<N extends JobName> = (input: JobInput<N>) => JobOutput<N> | Promise<JobOutput<N>>;

/** Runs a job in this thread. */
export const runJob = async <N extends JobName>(name: N, input: JobInput<N>): Promise<JobOutput<N>> =>
  (jobs[name] as Job<N>)(input);

/** Runs jobs outside the event loop that answers requests. */
export abstract class Cpu {
  /**
   * @param urgent run before all waiting jobs
   * @throws DocumentRefused as itself, other errors with their name and message
   */
  abstract run<N extends JobName>(name: N, input: JobInput<N>, urgent?: boolean): Promise<JobOutput<N>>;

  /** Frees the threads; running and waiting jobs fail. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
