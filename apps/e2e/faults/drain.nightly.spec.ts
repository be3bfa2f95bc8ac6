import { runBench } from './run-bench';

/** What the bench counted for one service. */
interface Drained {
  readonly answered: number;
  /** Requests and calls whose connection broke; a busy machine may also answer some too late. */
  readonly broken: number;
  readonly deaths: number;
  readonly runs: readonly string[];
  readonly ends: readonly { readonly code: number | null; readonly ms: number }[];
}

describe('a service that receives SIGTERM', () => {
  it('under load no connection breaks, and a scan goes on without deaths', async () => {
    const bench = await runBench<readonly Drained[]>('drain', {
      ...{ service: 'ingestion', rounds: 2, rate: 10, files: 4_000 },
    });
    bench.check(([found]) => {
      expect(found).toMatchObject({ broken: 0, deaths: 0 });
      expect(found?.answered).toBeGreaterThan(50);
      expect(found?.ends.map(({ code }) => code)).toEqual([0, 0]);
      for (const { ms } of found?.ends ?? []) expect(ms).toBeLessThan(30_000);
    });
  }, 300_000);
});
