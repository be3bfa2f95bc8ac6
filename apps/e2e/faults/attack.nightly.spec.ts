import { runBench } from './run-bench';

/** What the bench found on one port. */
interface Attacked {
  /** Seconds until no place and no body was in use; absent when that took longer than it may. */
  readonly freeS?: number;
  /** Answers of the tenant other than a result. */
  readonly others: number;
  readonly answered: number;
  readonly grownMb: number;
}

const MOST_GROWN_MB = 100;
const PORTS = 10;

describe('callers without an account that hold bodies, answers and connections', () => {
  it('lose no place and no memory of any port, and delay no tenant', async () => {
    const bench = await runBench<Readonly<Record<string, Attacked>>>('attack', { seconds: 60 });
    bench.check((found) => {
      expect(Object.keys(found)).toHaveLength(PORTS);
      for (const { freeS, others, answered, grownMb } of Object.values(found)) {
        expect(freeS).toBeDefined();
        expect(others).toBe(0);
        expect(answered).toBeGreaterThan(0);
        expect(grownMb).toBeLessThan(MOST_GROWN_MB);
      }
    });
  }, 1_800_000);
});
