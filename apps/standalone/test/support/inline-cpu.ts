import {
  Cpu,
  DirectFileAccess,
  type FileAccess,
  type JobInput,
  type JobName,
  type JobOutput,
  runJob,
} from '@acervo/ingestion';

export type Hook = (name: string) => Promise<void>;

/** Runs jobs in the calling thread; a hook runs after each job. */
export class InlineCpu extends Cpu {
  constructor(private readonly after: Hook) {
    super();
  }

  override async run<N extends JobName>(name: N, input: JobInput<N>): Promise<JobOutput<N>> {
    const output = await runJob(name, input);
    await this.after(name);
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
