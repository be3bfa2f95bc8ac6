// The table of the generators says where every served operation lives.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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

/** Every operation that is declared: its code, its name, and the file of its contract. */
const declared = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/export const (\w+) = operation\(\{([\s\S]*?)\n\}\);/g)].map(([, name, body]) => ({
    ...{ name, code: /code: '([^']+)'/.exec(body)[1], contract: path },
  })),
);

/** The codes of the contract, with a service or without one. */
const contracted = [...read(join(CONTRACTS, 'operations', 'contract-table.ts')).matchAll(/^ {2}'(\w+\.\w+)'/gm)].map(
  ([, code]) => code,
);

test('the declared operations are found', () => {
  assert.ok(declared.length > 80);
  assert.equal(contracted.length, 108);
});

test('every declared operation lives where the table says', () => {
  for (const { code, name, contract } of declared) {
    const place = placeOf(code);
    assert.equal(place.contract, contract, `the contract of ${code}`);
    assert.match(read(place.handlers), new RegExp(`@Handles\\(${name}\\)`), `${place.handlers} handles ${code}`);
  }
});

test('the contract of every row is exported', () => {
  for (const { code } of declared) {
    const { contract } = placeOf(code);
    const index = read(join(dirname(contract), 'index.ts'));
    assert.ok(index.includes(`'./${contract.split('/').at(-1).replace('.ts', '')}'`), `${contract} is exported`);
  }
});

test('the handlers of every row have its store', () => {
  for (const { code } of declared) {
    const { handlers, store } = placeOf(code);
    if (store === null) continue;
    const type = injectableIn(read(store));
    assert.match(read(handlers), new RegExp(`readonly \\w+: ${type}\\b`), `${handlers} has ${type}, for ${code}`);
  }
});

test('every operation of the contract has a place, in a domain that exists or begins', () => {
  for (const code of contracted) {
    const { handlers, contract, store } = placeOf(code);
    const begins = [handlers, contract, store].every((path) => path === null || !existsSync(join(root, path)));
    const exists = [handlers, contract, store].every((path) => path === null || existsSync(join(root, path)));
    assert.ok(begins || exists, `all files of ${code} exist, or none`);
  }
});

test('every row names a domain or an operation of the contract', () => {
  const names = new Set(contracted.flatMap((code) => [code, code.split('.')[0]]));
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
