import { Cpu, type CpuJob, runJob } from '../src';

/** Runs jobs in its caller's thread, and counts the runs of each job. */
export class CountingCpu extends Cpu {
  readonly runs: string[] = [];
  override run<I, O>(job: CpuJob<I, O>, input: I): Promise<O> {
    this.runs.push(job.name);
    return runJob(job, input);
  }
  count(name: string): number {
    return this.runs.filter((ran) => ran === name).length;
  }
}
