import type { MessagePort } from 'node:worker_threads';
import { DocumentRefused } from '../files/refusal';
import { runJob } from './cpu';
import type { JobInput, JobName } from '../workers/jobs';

/** The message to a thread. */
export interface JobRequest<N extends JobName = JobName> {
  readonly name: N;
  readonly input: JobInput<N>;
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

/** Answers the jobs of a port until it is closed. */
export const serveJobs = (port: Pick<MessagePort, 'on' | 'postMessage'>): void => {
  port.on('message', ({ name, input }: JobRequest) => {
    void runJob(name, input).then(
      (output) => port.postMessage({ output } satisfies JobReply),
      (error: unknown) => port.postMessage({ failure: failureOf(error) } satisfies JobReply),
    );
  });
};
