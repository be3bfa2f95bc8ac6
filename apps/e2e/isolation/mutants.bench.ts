import { writeFileSync } from 'node:fs';
import { IsolationSuite } from './isolation-suite';
import type { Operation } from './operations';
import { Plans } from './plans';
import { withoutRowSecurity } from './row-security';
import { predicatesIn, Statements, withoutAny, withoutOne } from './statements';

const HOUR = 3_600_000;
/** Fewer statements would mean that some were not recorded. */
const LEAST = 100;
/** Number of operations that try a mutant: the fastest of those that send its statement. */
const MOST_TRIED = 1;

const statements = Statements.watch();
let suite: IsolationSuite;
let plans: Plans;
let operations: readonly Operation[];
beforeAll(async () => {
  suite = await IsolationSuite.open();
  plans = await Plans.of(suite.installation);
  operations = suite.operations.map((operation) => ({
    ...operation,
    ask: (...args) => statements.during(operation, () => operation.ask(...args)),
  }));
}, 600_000);
afterAll(() => suite.close());

const report = (line: string): void => void process.stdout.write(`${line}\n`);
const asIs = (sql: string): string => sql;
const only = (wanted: string, to: string) => (sql: string) => (sql === wanted ? to : sql);

/** Milliseconds per check of an operation. */
const took = new Map<string, number>();
const tryOne = async (operation: Operation): ReturnType<IsolationSuite['tryOne']> => {
  const started = performance.now();
  const verdict = await suite.tryOne(operation);
  took.set(operation.name, performance.now() - started);
  return verdict;
};

/** Leaks of all operations, with original or mutated statements. */
const leaks = async (what: string, mutate: (sql: string) => string): Promise<readonly string[]> => {
  const { wrong, pairs, controls } = await statements.mutated(mutate, () => suite.tryAll(operations, tryOne));
  report(`${what}: ${wrong.length} leaks in ${pairs} pairs and ${controls} controls`);
  for (const line of wrong) report(`  ${line}`);
  return wrong;
};

/** The recorded statements, each with the operations that send it. */
const gathered = async (): Promise<readonly (readonly [string, readonly Operation[]])[]> => {
  if (statements.seen.size === 0) await leaks('both walls', asIs);
  return [...statements.seen].map(([sql, names]) => {
    const senders = operations.filter(({ name }) => names.has(name));
    return [sql, senders.toSorted((one, next) => (took.get(one.name) ?? 0) - (took.get(next.name) ?? 0))];
  });
};

interface Mutant {
  readonly sql: string;
  readonly place: number;
  readonly senders: readonly Operation[];
}

const mutantsOf = (all: Awaited<ReturnType<typeof gathered>>): Mutant[] =>
  all.flatMap(([sql, senders]) =>
    Array.from({ length: predicatesIn(sql) }, (_, place) => ({ sql, place, senders: senders.slice(0, MOST_TRIED) })),
  );

/** The violation that the suite reports for a mutated statement; undefined without one. */
const noticed = async ({ sql, senders }: Mutant, to: string): Promise<string | undefined> => {
  for (const sender of senders) {
    const { wrong } = await statements.mutated(only(sql, to), () => suite.tryOne(sender, 1));
    if (wrong.length > 0) return wrong[0];
  }
  return undefined;
};

interface Fate {
  readonly sql: string;
  readonly place: number;
  /** Rows of other groups in the plan of a mutant; null if another predicate binds the table. */
  readonly plan: string | null;
  /** Violations in answers and rows. */
  readonly answer: string | null;
}

const fateOf = async (mutant: Mutant): Promise<Fate> => {
  const { sql, place } = mutant;
  const to = withoutOne(sql, place);
  const unbound = await plans.unbound(to);
  // A second predicate binds the same table: only removing both loses the binding.
  const doubled = unbound.length === 0;
  const plan = doubled ? null : unbound.join(', ');
  return { sql, place, plan, answer: (await noticed(mutant, doubled ? withoutAny(sql) : to)) ?? null };
};

describe('the two layers of isolation', () => {
  it(
    'row level security isolates groups without any predicate',
    async () => {
      expect(await leaks('row level security alone, no statement names a group', withoutAny)).toEqual([]);
    },
    HOUR,
  );

  it(
    'row level security isolates groups with any predicate removed',
    async () => {
      const mutants = mutantsOf(await gathered());
      expect(mutants.length).toBeGreaterThan(LEAST);
      const found: string[] = [];
      for (const mutant of mutants) {
        const leak = await noticed(mutant, withoutOne(mutant.sql, mutant.place));
        if (leak !== undefined) found.push(leak);
      }
      report(`row level security, each predicate lost in turn: ${found.length} leaks in ${mutants.length} mutants`);
      for (const line of found) report(`  ${line}`);
      expect(found).toEqual([]);
    },
    HOUR,
  );

  it(
    'predicates isolate groups without row level security',
    async () => {
      const wrong = await withoutRowSecurity(suite.installation, () => leaks('predicates alone', asIs));
      const unbound = await plans.unboundOf(statements.sent);
      report(`predicates alone: ${unbound.length} of ${statements.sent.size} statements read rows of other groups`);
      expect({ wrong, unbound }).toEqual({ wrong: [], unbound: [] });
    },
    HOUR,
  );

  it(
    'without row level security, each missing predicate fails a test',
    async () => {
      const all = await gathered();
      const fates: Fate[] = [];
      await withoutRowSecurity(suite.installation, async () => {
        for (const mutant of mutantsOf(all)) fates.push(await fateOf(mutant));
      });
      expect(fates.length).toBeGreaterThan(LEAST);
      const survived = fates.filter(({ plan, answer }) => plan === null && answer === null);
      const count = (wanted: (fate: Fate) => boolean): number => fates.filter(wanted).length;
      for (const { sql, place, plan, answer } of survived)
        report(`SURVIVED ${place} ${sql.replace(/\s+/g, ' ').slice(0, 240)} ${plan ?? ''} ${answer ?? ''}`);
      report(
        `${fates.length} mutants of ${all.length} statements: ${count(({ plan }) => plan !== null)} fail the test of plans, ` +
          `${count(({ answer }) => answer !== null)} that of answers and rows; ` +
          `${count(({ plan }) => plan === null)} are said twice, and were tried with their doubles; ${survived.length} survived`,
      );
      const file = process.env['ACERVO_BENCH_TABLE'];
      if (file !== undefined) writeFileSync(file, JSON.stringify(fates, null, 2));
      expect(survived).toEqual([]);
    },
    HOUR,
  );
});
