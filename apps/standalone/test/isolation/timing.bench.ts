import type { Door } from './credentials';
import { Differential } from './differential';
import { ProvingGround } from './ground';
import type { Operation, PlacedSlot } from './operations';
import { auc, deciding, median, pairedBounds } from './statistics';

const PAIRS = Number(process.env['ACERVO_BENCH_PAIRS'] ?? 2_000);
/** Only routes that this fits; all without it. */
const ONLY = new RegExp(process.env['ACERVO_BENCH_ROUTES'] ?? '');
/** Requests before the first that counts: code is compiled, plans are kept, connections are open. */
const WARM = 60;
/** Pairs after which other things are named. */
const EACH = 100;
const MOST_AUC_OFF = 0.03;
const MOST_GAP_MS = 1;

let proving: ProvingGround;
beforeAll(async () => {
  proving = await ProvingGround.open();
}, 600_000);
afterAll(() => proving.close(), 60_000);

/** Every route that names one thing of a group in its path and changes nothing, by the registry. */
const idRoutes = (): { readonly operation: Operation; readonly slot: PlacedSlot }[] =>
  proving.operations
    .filter(({ kind, writes, by }) => kind === 'route' && !writes && by === 'administrator')
    .filter(({ name }) => ONLY.test(name))
    .flatMap((operation) =>
      new Differential(proving.ground, operation).tried
        .filter(({ place }) => place === 'param')
        .map((slot) => ({ operation, slot })),
    );

interface Times {
  readonly hidden: number[];
  readonly nothing: number[];
}

/**
 * Both kinds in turn, either first as a coin decides, so that neither has the better place in a pair. Both are named
 * anew after a while: what is kept of a name serves both or neither.
 */
const measure = async (differential: Differential, slot: PlacedSlot, door: Door): Promise<Times> => {
  const times: Times = { hidden: [], nothing: [] };
  let prepared = await differential.prepare(slot);
  for (let round = -WARM; round < PAIRS; round += 1) {
    if (round % EACH === 0) prepared = await differential.prepare(slot);
    for (const of of deciding() ? (['hidden', 'nothing'] as const) : (['nothing', 'hidden'] as const)) {
      const took = await differential.time(prepared, slot, door, of);
      if (round >= 0) times[of].push(took);
    }
  }
  return times;
};

describe('a 404', () => {
  it(
    'takes as long for what is hidden as for what is absent, on every route that names something',
    async () => {
      const off: string[] = [];
      for (const { operation, slot } of idRoutes()) {
        const differential = new Differential(proving.ground, operation);
        const door: Door = operation.doors[0] ?? 'session';
        const { real } = await differential.pair(await differential.prepare(slot), slot, door);
        const { hidden, nothing } = await measure(differential, slot, door);
        const area = auc(hidden, nothing);
        const gaps = hidden.map((took, at) => took - (nothing[at] ?? 0));
        const [gap, [low, high]] = [median(gaps), pairedBounds(gaps)];
        const line = `${operation.name} (${real.status})  AUC ${area.toFixed(3)}  median ${median(nothing).toFixed(2)} ms, of the differences ${gap.toFixed(3)} ms [${low.toFixed(3)}, ${high.toFixed(3)}]  N ${PAIRS}`;
        process.stdout.write(`${line}\n`);
        if (Math.abs(area - 0.5) >= MOST_AUC_OFF || Math.abs(gap) >= MOST_GAP_MS) off.push(line);
      }
      expect(off).toEqual([]);
    },
    6 * 3_600_000,
  );
});
