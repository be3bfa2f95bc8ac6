import { runBench } from './run-bench';

const MOST_RECOVERY_S = 30;

/** Result of the bench: what the program answered at ten times the load that it carries. */
interface Overload {
  readonly outside: number;
  readonly refused: number;
  readonly answered: number;
  readonly memory: number;
  readonly recoverySeconds: number;
}

describe('ten times the load that the machine carries', () => {
  it('every answer is a result or a refusal in the envelope', async () => {
    const bench = await runBench<Overload>('overload', { seconds: 20 });
    bench.check((found) => {
      expect(found.outside).toBe(0);
      expect(found.refused).toBeGreaterThan(found.answered);
      expect(found.answered).toBeGreaterThan(0);
      expect(found.memory).toBeLessThan(2);
      expect(found.recoverySeconds).toBeLessThan(MOST_RECOVERY_S);
    });
  }, 300_000);
});
