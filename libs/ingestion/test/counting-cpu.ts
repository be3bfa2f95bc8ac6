import { Cpu, type JobInput, type JobName, type JobOutput, runJob } from '../src';

/** Runs jobs in its caller's thread, and counts the runs of each job. */
export class CountingCpu extends Cpu {
  readonly runs: JobName[] = [];
  override run<N extends JobName>(name: N, input: JobInput<N>): Promise<JobOutput<N>> {
    this.runs.push(name);
    return runJob(name, input);
  }
  count(name: JobName): number {
    return this.runs.filter((ran) => ran === name).length;
  }
}
