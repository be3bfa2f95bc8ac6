import { runBench } from './run-bench';

/** The bench sends requests for a given time; this short form sends the same requests on every machine. */
const SHORT = { minutes: 0.7, examples: 2, seed: 1, same: true, canaryEvery: 8 };

describe('the published description', () => {
  it('every generated request gets an answer of the published schema', async () => {
    const bench = await runBench('schemathesis', SHORT);
    bench.check((_result, printed) =>
      expect(printed).toContain('all held: 0 answers of 5xx, 0 that differ from the description, 0 echoed canaries'),
    );
  }, 600_000);
});
