import { isConnectionLost } from '@acervo/platform-database';
import { type Lease, LeaseLost } from '@acervo/platform-queue';

/** Works one piece; `earliest` is the first piece of the batch that is still to be done. */
type Work = (lease: Lease, earliest: () => Lease) => Promise<void>;

/**
 * Works the pieces of a batch, a few at a time, in their order; answers what failed. A piece that another worker took
 * is not a failure; a lost connection ends the batch.
 */
export const inParallel = async (leases: readonly Lease[], width: number, work: Work): Promise<unknown[]> => {
  const open = new Set(leases);
  const waiting = leases.toReversed();
  const failures: unknown[] = [];
  const run = async (): Promise<void> => {
    for (let lease = waiting.pop(); lease !== undefined; lease = waiting.pop()) {
      const own = lease;
      await work(own, () => leases.find((each) => open.has(each)) ?? own).catch((error: unknown) => {
        if (isConnectionLost(error)) waiting.length = 0;
        if (isConnectionLost(error)) throw error;
        if (!(error instanceof LeaseLost)) failures.push(error);
      });
      open.delete(own);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, leases.length) }, run));
  return failures;
};
