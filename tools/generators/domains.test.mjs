// The table of the generators says where new operations of each domain live.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../lib/options.mjs';

const fromSource = createRequire(import.meta.url);
const { EVENTS, eventsOf, PLACES, placeOf } = fromSource('./src/domains.cjs');
const { injectableIn } = fromSource('./src/source.cjs');
const CONTRACTS = join('libs', 'contracts', 'src');

const read = (path) => readFileSync(join(root, path), 'utf8');

const sources = readdirSync(join(root, CONTRACTS), { recursive: true })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => join(CONTRACTS, path))
  .map((path) => ({ path, text: read(path) }));

/** The codes of the operations that are declared. */
const declared = sources.flatMap(({ text }) =>
  [...text.matchAll(/export const \w+ = operation\(\{([\s\S]*?)\n\}\);/g)].map(
    ([, body]) => /code: '([^']+)'/.exec(body)[1],
  ),
);

/** The codes of the contract, with a service or without one. */
const contracted = [...read(join(CONTRACTS, 'operations', 'contract-table.ts')).matchAll(/^ {2}'(\w+\.\w+)'/gm)].map(
  ([, code]) => code,
);

/** The files of a row. */
const filesOf = ({ contract, handlers, store }) => [contract, handlers, ...(store === null ? [] : [store])];
const isThere = (path) => existsSync(join(root, path));

const rows = Object.keys(PLACES).map((name) => ({ name, ...placeOf(name) }));
/** Rows of domains that have begun. */
const begun = rows.filter(({ contract }) => isThere(contract));

test('the operations and the rows are found', () => {
  assert.ok(declared.length > 80);
  assert.equal(contracted.length, 108);
  assert.ok(begun.length > 15);
});

test('all files of a row exist, or none', () => {
  for (const row of rows) {
    const files = filesOf(row);
    assert.ok(files.every(isThere) || !files.some(isThere), `all files of ${row.name} exist, or none`);
  }
});

test('the contract of every row is exported', () => {
  for (const { contract } of begun) {
    const index = read(join(dirname(contract), 'index.ts'));
    assert.ok(index.includes(`'./${basename(contract, '.ts')}'`), `${contract} is exported`);
  }
});

test('the handlers of every row have its store', () => {
  for (const { name, handlers, store } of begun) {
    if (store === null) continue;
    const type = injectableIn(read(store));
    assert.match(read(handlers), new RegExp(`readonly \\w+: ${type}\\b`), `${handlers} has ${type}, for ${name}`);
  }
});

test('every operation of the contract has a place', () => {
  for (const code of contracted) assert.ok(placeOf(code).contract);
});

test('every row names a domain or an operation that is not declared', () => {
  const names = new Set(contracted.flatMap((code) => [code.split('.')[0], ...(declared.includes(code) ? [] : [code])]));
  assert.deepEqual(
    Object.keys(PLACES).filter((name) => !names.has(name)),
    [],
  );
});

test('every declared event lives where the table says', () => {
  const events = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/= event\(\{[\s\S]*?topic: '(\w+)\./g)].map(([, subject]) => ({ subject, path })),
  );
  assert.ok(events.length > 10);
  for (const { subject, path } of events) assert.equal(eventsOf(subject), path, `the events of a ${subject}`);
  const subjects = new Set(events.map(({ subject }) => subject));
  const begin = Object.keys(EVENTS).filter((subject) => !subjects.has(subject));
  assert.ok(begin.every((subject) => !existsSync(join(root, eventsOf(subject)))));
});

test('a code without a row is refused with the file to change', () => {
  assert.throws(() => placeOf('shelves.list'), /No row of tools\/generators\/src\/domains\.cjs says where shelves/);
});
