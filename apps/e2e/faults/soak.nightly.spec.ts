import { programs } from '@acervo/contracts';
import { runBench } from './run-bench';

const SLOWEST_RECOVERY_S = 120;

/** Result of the bench: what it saw of each process, table and store. */
interface Soak {
  readonly kills: readonly { readonly kind: string; readonly seconds: number }[];
  readonly samples: number;
  readonly answered: number;
  readonly rounds: Readonly<Record<string, number>>;
  readonly memory: readonly { readonly kind: string }[];
  readonly descriptors: readonly { readonly kind: string; readonly after: number }[];
  readonly agree: boolean;
}

const PROCESSES = [...programs.map(({ name }) => name), 'database', 'root'].sort();

describe('a minute of mixed load with a kill', () => {
  it('every process is watched, searches continue and the stores agree', async () => {
    const bench = await runBench<Soak>('soak', { minutes: 1, every: 0.4 });
    bench.check((found) => {
      expect(found.kills.length).toBeGreaterThan(0);
      for (const { kind, seconds } of found.kills) {
        expect(PROCESSES).toContain(kind);
        expect(seconds).toBeLessThan(SLOWEST_RECOVERY_S);
      }
      expect(found.answered).toBeGreaterThan(0);
      expect(found.rounds['rounds of a person']).toBeGreaterThan(0);
      expect(found.rounds['changes of a folder']).toBeGreaterThan(0);
      // A minute shows that all of it is measured; slopes need longer runs.
      for (const watched of [found.memory, found.descriptors])
        expect(watched.map(({ kind }) => kind)).toEqual(PROCESSES);
      for (const { after } of found.descriptors) expect(after).toBeGreaterThan(0);
      expect(found.samples).toBeGreaterThan(PROCESSES.length);
      expect(found.agree).toBe(true);
    });
  }, 600_000);
});
