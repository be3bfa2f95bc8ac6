import type { MessagePort } from 'node:worker_threads';
import { DocumentRefused } from '@acervo/files';
import type { CpuJob } from './cpu';

/** The message to a thread. */
export interface JobRequest {
  readonly name: string;
  readonly input: unknown;
}

interface Failure {
  readonly name: string;
  readonly message: string;
  readonly refused?: Pick<DocumentRefused, 'status' | 'retryOnScan'>;
}

/** The answer of a thread. */
export type JobReply = { readonly output: unknown } | { readonly failure: Failure };

const failureOf = (error: unknown): Failure => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof DocumentRefused)) return { name, message };
  return { name, message, refused: { status: error.status, retryOnScan: error.retryOnScan } };
};

/** The error of a thread as its class, where callers distinguish the class. */
export const raiseFailure = ({ name, message, refused }: Failure): Error =>
  refused === undefined
    ? Object.assign(new Error(message), { name })
    : new DocumentRefused(refused.status, message, refused.retryOnScan);

const runNamed = async (jobs: ReadonlyMap<string, CpuJob<never, unknown>>, { name, input }: JobRequest) => {
  const job = jobs.get(name);
  if (job === undefined) throw new Error(`No thread knows the job ${name}: add it to workers/jobs.ts.`);
  return job.run(input as never);
};

/** Answers these jobs on a port until it is closed. */
export const serveJobs = (
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  jobs: readonly CpuJob<never, unknown>[],
): void => {
  const named = new Map(jobs.map((job) => [job.name, job]));
  port.on('message', (request: JobRequest) => {
    void runNamed(named, request).then(
      (output) => port.postMessage({ output } satisfies JobReply),
      (error: unknown) => port.postMessage({ failure: failureOf(error) } satisfies JobReply),
    );
  });
};
