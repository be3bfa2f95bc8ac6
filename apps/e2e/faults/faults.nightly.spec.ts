import { runBench } from './run-bench';

const SHORT = { rounds: 2, documents: 40, seed: 1, only: ['gateway', 'auth', 'operations', 'extraction'] };

describe('kills of every process', () => {
  it('killing every process in every phase loses and doubles nothing', async () => {
    const bench = await runBench('faults', SHORT);
    bench.check((_result, printed) =>
      expect(printed).toContain('all held: 0 lost, 0 doubled in 2 rounds of 40 documents'),
    );
  }, 900_000);
});
