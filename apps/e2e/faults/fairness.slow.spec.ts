import { runBench } from './run-bench';

const DOCUMENTS = 300;
/** Measurements per party; the median counts. */
const ROUNDS = 3;
/**
 * Largest permitted ratio. A document that waited for the backlog would take more than twenty times as long as one
 * without backlog.
 */
const MOST_RATIO = 5;

/** Result of the bench: waiting documents, and how much longer each party waits behind them. */
interface Fairness {
  readonly left: number;
  readonly ratios: readonly number[];
}

describe('a single new document', () => {
  it('a new document is searchable while most of a backlog waits', async () => {
    const { result, printed } = await runBench('fairness', { documents: DOCUMENTS, rounds: ROUNDS });
    if (result === undefined) throw new Error(printed);
    const figures = result as Fairness;
    expect(figures.left).toBeGreaterThan(DOCUMENTS / 2);
    expect(figures.ratios).toHaveLength(2);
    for (const ratio of figures.ratios) expect(ratio).toBeLessThan(MOST_RATIO);
  }, 300_000);
});
