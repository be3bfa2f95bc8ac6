import { type JobInput, type JobName, type JobOutput, jobs } from './jobs';

type Job<N extends JobName> = (input: JobInput<N>) => JobOutput<N> | Promise<JobOutput<N>>;

/** Runs a job here and now. */
export const runJob = async <N extends JobName>(name: N, input: JobInput<N>): Promise<JobOutput<N>> =>
  (jobs[name] as Job<N>)(input);

/** Where jobs are run: never on the event loop that answers requests. */
export abstract class Cpu {
  /**
   * @param urgent run before all jobs that wait
   * @throws DocumentRefused as itself, other errors with their name and message.
   */
  abstract run<N extends JobName>(name: N, input: JobInput<N>, urgent?: boolean): Promise<JobOutput<N>>;
}
