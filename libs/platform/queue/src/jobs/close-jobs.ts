import { atMost } from '@acervo/platform-resilience';
import type { JobBackend } from './job-backend';

/** Longest that closing waits for an absent backend. */
const PATIENCE_MS = 3_000;

/** A queue or a worker of the job library. */
interface Closable {
  close(force?: boolean): Promise<void>;
  disconnect(): Promise<void>;
}

const answers = (jobs: JobBackend): Promise<boolean> =>
  jobs.ping().then(
    () => true,
    () => false,
  );

/**
 * Closes a queue or a worker after its current jobs. Where the engine is absent, closing would wait for its return.
 * Such a queue or worker is disconnected; another worker takes up its tasks when the leases expire.
 */
export const closeJobs = async (opened: Closable, jobs: JobBackend): Promise<void> => {
  if (!jobs.remote || (await answers(jobs))) return opened.close();
  void opened.disconnect().catch(() => undefined);
  await atMost(PATIENCE_MS, opened.close(true));
};
