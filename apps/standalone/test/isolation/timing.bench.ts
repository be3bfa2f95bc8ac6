import type { Door } from './credentials';
import { Differential } from './differential';
import { ProvingGround } from './ground';

const PAIRS = 2_000;
const WARM = 20;
const ROUTES = [
  'GET /v1/documents/:document_code',
  'GET /usuarios/:codigo',
  'GET /usuarios/:codigo/roles',
  'GET /usuarios/:codigo/entidades',
  'GET /roles/:id_rol',
  'GET /roles/:id_rol/funciones',
];

let proving: ProvingGround;
beforeAll(async () => {
  proving = await ProvingGround.open();
}, 600_000);
afterAll(() => proving.close(), 60_000);

/** Area under the curve of two samples (Mann-Whitney): 0.5 where one cannot be told from the other. */
const auc = (one: readonly number[], other: readonly number[]): number => {
  const ranked = [...one.map((value) => ({ value, of: 1 })), ...other.map((value) => ({ value, of: 0 }))].toSorted(
    (a, b) => a.value - b.value,
  );
  const sum = ranked.reduce((total, { of }, index) => total + (of === 1 ? index + 1 : 0), 0);
  return (sum - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('a 404', () => {
  it.each(ROUTES)(
    'of %s takes as long for what is hidden as for what is absent',
    async (name) => {
      const operation = proving.operations.find((each) => each.name === name);
      if (operation === undefined) throw new Error(`${name} is no route.`);
      const differential = new Differential(proving.ground, operation);
      const slot = differential.tried.find(({ place }) => place === 'param');
      if (slot === undefined) throw new Error(`${name} names nothing.`);
      const door: Door = operation.doors[0] ?? 'session';
      const times = { hidden: [] as number[], nothing: [] as number[] };
      const prepared = await differential.prepare(slot);
      for (let round = 0; round < PAIRS + WARM; round += 1)
        for (const of of round % 2 === 0 ? (['hidden', 'nothing'] as const) : (['nothing', 'hidden'] as const))
          times[of].push(await differential.time(prepared, slot, door, of));
      const [hidden, nothing] = [times.hidden.slice(WARM), times.nothing.slice(WARM)];
      const [area, gap] = [auc(hidden, nothing), Math.abs(median(hidden) - median(nothing))];
      process.stdout.write(`${name}  AUC ${area.toFixed(3)}  median gap ${gap.toFixed(3)} ms  N ${PAIRS}\n`);
      expect(Math.abs(area - 0.5)).toBeLessThan(0.03);
      expect(gap).toBeLessThan(1);
    },
    3_600_000,
  );
});
