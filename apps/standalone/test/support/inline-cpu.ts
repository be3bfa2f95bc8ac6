import { Cpu, type CpuJob, DirectFileAccess, type FileAccess, runJob } from '@acervo/ingestion';

export type Hook = (name: string) => Promise<void>;

/** Runs jobs in the calling thread; a hook runs after each job. */
export class InlineCpu extends Cpu {
  constructor(private readonly after: Hook) {
    super();
  }

  override async run<I, O>(job: CpuJob<I, O>, input: I): Promise<O> {
    const output = await runJob(job, input);
    await this.after(job.name);
    return output;
  }
}

type FilePlace = Parameters<FileAccess['takeFile']>[0];

/** Reads files in the calling thread; a hook runs after each of them. */
export class InlineFileAccess extends DirectFileAccess {
  constructor(private readonly after: Hook) {
    super();
  }

  override async takeFile(place: FilePlace): ReturnType<FileAccess['takeFile']> {
    const file = await super.takeFile(place);
    await this.after('takeFile');
    return file;
  }
}
