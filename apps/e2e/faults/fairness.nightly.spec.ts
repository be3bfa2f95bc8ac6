import { type BenchRun, runBench } from './run-bench';

const DOCUMENTS = 300;
/** Documents of each slow group, milliseconds that each takes, and those read before the measurement. */
const SLOW = { documents: 30, ms: 3_000, before: 6 };
/** Measurements per party; the median counts. */
const ROUNDS = 3;
/**
 * Largest permitted ratio; the bench has the goal for an idle machine. Words of a document alone are found after a third
 * of a second, so that a backlog of documents which share its processor shows. A document that waited for the backlog
 * would take more than fifty times as long.
 */
const MOST_RATIO = 12;

/** Result of the bench: waiting documents, and how much longer each party waits behind them. */
interface Fairness {
  readonly left: number;
  readonly ratios: readonly number[];
  /** Behind two groups whose documents take seconds each. */
  readonly slowGroups: { readonly left: number; readonly ratio: number };
}

describe('a single new document', () => {
  let bench: BenchRun<Fairness>;
  beforeAll(async () => {
    bench = await runBench('fairness', { documents: DOCUMENTS, rounds: ROUNDS, slow: SLOW });
  }, 300_000);

  it('a new document is searchable while two slow groups occupy the slots', () => {
    bench.check(({ slowGroups }) => {
      expect(slowGroups.left).toBeGreaterThan(SLOW.documents / 4);
      expect(slowGroups.ratio).toBeLessThan(MOST_RATIO);
    });
  });

  it('a new document is searchable while most of a backlog waits', () => {
    bench.check(({ left, ratios }) => {
      expect(left).toBeGreaterThan(DOCUMENTS / 2);
      expect(ratios).toHaveLength(2);
      for (const ratio of ratios) expect(ratio).toBeLessThan(MOST_RATIO);
    });
  });
});
