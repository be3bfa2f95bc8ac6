import type { Door } from './credentials';
import { Differential, type Pair } from './differential';
import { IsolationSuite } from './isolation-suite';
import type { Operation, PlacedSlot } from './operations';
import { revealsTakenAddress } from './refusals';
import { auc, deciding, median, pairedBounds } from './statistics';

const PAIRS = Number(process.env['ACERVO_BENCH_PAIRS'] ?? 2_000);
/** Pattern of the routes to measure; all routes by default. */
const ONLY = new RegExp(process.env['ACERVO_BENCH_ROUTES'] ?? '');
/** Requests before the measurement: code is compiled, plans are cached, connections are open. */
const WARM = 60;
/** Number of pairs before other fixtures are named. */
const EACH = 100;
const MOST_AUC_OFF = 0.03;
const MOST_GAP_MS = 1;

let suite: IsolationSuite;
beforeAll(async () => {
  suite = await IsolationSuite.open();
}, 600_000);
afterAll(() => suite.close());

/** A field of a route that names something of a group. */
interface Naming {
  readonly operation: Operation;
  readonly slot: PlacedSlot;
}

/** Every field of every route that names something of a group, by the registry. */
const namings = (): Naming[] =>
  suite.operations
    .filter(({ kind, name }) => kind === 'route' && ONLY.test(name))
    .flatMap((operation) => {
      const differential = new Differential(suite.context, operation);
      return differential.tried.filter((slot) => differential.names(slot)).map((slot) => ({ operation, slot }));
    });

const nameOf = ({ operation, slot }: Naming): string => `${operation.name} ${slot.place} ${slot.path.join('.')}`;

/** Reason not to measure a field; undefined for measured fields. */
const reasonAgainst = ({ operation, slot }: Naming, { real, alike }: Pair): string | undefined => {
  if (operation.by === 'anybody') return 'it is asked by who is not signed in: bench identity times those';
  if (operation.by === 'system') return 'it is for SYSTEM users, who act in every group';
  if (revealsTakenAddress(operation.name, slot.name)) return 'an administrator learns that an address is taken';
  if (['403', '410', '422'].includes(real.status))
    return `everybody is answered ${real.status} before anything is looked up`;
  return alike ? undefined : 'its two answers differ, which the suite looks at';
};

interface Times {
  readonly hidden: number[];
  readonly nothing: number[];
  /** Every status that occurred. */
  readonly statuses: ReadonlySet<string>;
}

/**
 * Measures both kinds in turn, in random order, so that neither has the better place in a pair. Both fixtures change
 * after a while: a cache of a name serves both or neither.
 */
const measure = async (differential: Differential, slot: PlacedSlot, door: Door): Promise<Times> => {
  const statuses = new Set<string>();
  const times: Times = { hidden: [], nothing: [], statuses };
  let prepared = await differential.prepare(slot);
  for (let round = -WARM; round < PAIRS; round += 1) {
    if (round % EACH === 0) prepared = await differential.prepare(slot);
    for (const of of deciding() ? (['hidden', 'nothing'] as const) : (['nothing', 'hidden'] as const)) {
      const { took, status } = await differential.time(prepared, slot, door, of);
      statuses.add(status);
      if (round >= 0) times[of].push(took);
    }
  }
  return times;
};

interface Figures {
  readonly line: string;
  readonly off: boolean;
}

const figuresOf = (named: string, { hidden, nothing, statuses }: Times): Figures => {
  const area = auc(hidden, nothing);
  const gaps = hidden.map((took, at) => took - (nothing[at] ?? 0));
  const [gap, [low, high]] = [median(gaps), pairedBounds(gaps)];
  const answers = [...statuses].join(', ');
  return {
    line: `${named} (${answers})  AUC ${area.toFixed(3)}  median ${median(nothing).toFixed(2)} ms, of the differences ${gap.toFixed(3)} ms [${low.toFixed(3)}, ${high.toFixed(3)}]  N ${hidden.length}`,
    off: Math.abs(area - 0.5) >= MOST_AUC_OFF || Math.abs(gap) >= MOST_GAP_MS,
  };
};

const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** Figures of one field. A suspicious figure is measured again: a real difference repeats. */
const timed = async (naming: Naming): Promise<Figures | undefined> => {
  const { operation, slot } = naming;
  const differential = new Differential(suite.context, operation);
  const door: Door = operation.doors[0] ?? 'session';
  const pair = await differential.pair(await differential.prepare(slot), slot, door);
  const reason = reasonAgainst(naming, pair);
  if (reason !== undefined) {
    report(`${nameOf(naming)}: not timed, ${reason}`);
    return undefined;
  }
  for (let attempt = 0; ; attempt += 1) {
    const times = await measure(differential, slot, door);
    const figures = figuresOf(nameOf(naming), times);
    report(figures.line);
    // Answers whose status changes during the measurement are not comparable.
    if (times.statuses.size > 1) return { ...figures, off: true };
    if (!figures.off || attempt > 0) return figures;
  }
};

describe('an answer', () => {
  it(
    'every route answers about hidden and absent things equally fast',
    async () => {
      const all: Figures[] = [];
      for (const naming of namings()) {
        const figures = await timed(naming);
        if (figures !== undefined) all.push(figures);
      }
      report(`${all.length} fields timed, ${all.filter(({ off }) => off).length} off`);
      expect(all.length).toBeGreaterThan(0);
      expect(all.filter(({ off }) => off).map(({ line }) => line)).toEqual([]);
    },
    6 * 3_600_000,
  );
});
