import { writeFileSync } from 'node:fs';
import { ProvingGround } from './ground';
import type { Operation } from './operations';
import { withoutRowSecurity } from './row-security';
import { predicatesIn, Statements, withoutAny, withoutOne } from './statements';

const HOURS = 4 * 3_600_000;
/** A mutant is tried with so many of the operations that send its statement, before it counts as alive. */
const MOST_TRIED = 6;

const statements = Statements.watch();
let proving: ProvingGround;
let operations: readonly Operation[];
beforeAll(async () => {
  proving = await ProvingGround.open();
  operations = proving.operations.map((operation) => ({
    ...operation,
    ask: (...given) => statements.during(operation.name, () => operation.ask(...given)),
  }));
}, 600_000);
afterAll(() => proving.close(), 60_000);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const asIs = (sql: string): string => sql;
const only = (wanted: string, to: string) => (sql: string) => (sql === wanted ? to : sql);

/** What the suite says of some operations while statements are changed; undefined where it notices nothing. */
const noticed = async (names: readonly string[], mutate: (sql: string) => string): Promise<string | undefined> => {
  for (const name of names.slice(0, MOST_TRIED)) {
    const operation = operations.find((each) => each.name === name);
    if (operation === undefined) continue;
    const { wrong } = await statements.mutated(mutate, () => proving.tryOne(operation));
    if (wrong.length > 0) return wrong[0];
  }
  return undefined;
};

interface Fate {
  readonly sql: string;
  readonly place: number;
  readonly fate: 'killed' | 'killed with its doubles' | 'SURVIVED';
  readonly by: string;
}

const fateOf = async (sql: string, place: number, names: readonly string[]): Promise<Fate> => {
  const alone = await noticed(names, only(sql, withoutOne(sql, place)));
  if (alone !== undefined) return { sql, place, fate: 'killed', by: alone };
  // The other predicates of the statement say the same again: without all of them nothing is left that does.
  const together = await noticed(names, only(sql, withoutAny(sql)));
  return {
    sql,
    place,
    fate: together === undefined ? 'SURVIVED' : 'killed with its doubles',
    by: together ?? names.join(', '),
  };
};

describe('the two walls', () => {
  it(
    'hold together, and each by itself',
    async () => {
      const both = await statements.mutated(asIs, () => proving.tryAll(operations));
      say(`both walls: ${both.wrong.length} leaks in ${both.pairs} pairs and ${both.controls} controls`);
      expect(both.wrong).toEqual([]);
      const secured = await statements.mutated(withoutAny, () => proving.tryAll(operations));
      say(
        `row level security alone, no predicate in ${statements.seen.size} statements: ${secured.wrong.length} leaks`,
      );
      const predicates = await withoutRowSecurity(proving.installation, () =>
        statements.mutated(asIs, () => proving.tryAll(operations)),
      );
      say(`predicates alone, no row level security: ${predicates.wrong.length} leaks`);
      for (const line of [...secured.wrong, ...predicates.wrong]) say(`  ${line}`);
      expect({ secured: secured.wrong, predicates: predicates.wrong }).toEqual({ secured: [], predicates: [] });
    },
    HOURS,
  );

  it(
    'are both seen: without either, each missing predicate fails a test',
    async () => {
      const fates: Fate[] = [];
      const all = [...statements.seen].map(([sql, names]) => [sql, [...names]] as const);
      await withoutRowSecurity(proving.installation, async () => {
        for (const [sql, names] of all)
          for (let place = 0; place < predicatesIn(sql); place += 1) fates.push(await fateOf(sql, place, names));
      });
      const count = (wanted: Fate['fate']): number => fates.filter(({ fate }) => fate === wanted).length;
      for (const { sql, place, fate, by } of fates)
        say(`${fate.padEnd(24)} ${place} ${sql.replace(/\s+/g, ' ').slice(0, 160)}\n    ${by.slice(0, 160)}`);
      const total = `${fates.length} mutants of ${all.length} statements: ${count('killed')} killed, ${count('killed with its doubles')} killed with their doubles, ${count('SURVIVED')} survived`;
      say(total);
      const file = process.env['ACERVO_BENCH_TABLE'];
      if (file !== undefined) writeFileSync(file, JSON.stringify(fates, null, 2));
      expect(fates.filter(({ fate }) => fate === 'SURVIVED')).toEqual([]);
    },
    HOURS,
  );
});
