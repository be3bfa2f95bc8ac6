// Tests of the check of names, one name each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glossaryProblems, pageProblems, pathProblems, sourceProblems, wordsOf } from './vocabulary.mjs';

const problemsOf = (text, file = 'libs/x/src/a.ts') => sourceProblems(file, text);

test('a name is split at capitals, underscores and dashes', () => {
  assert.deepEqual(
    [wordsOf('wishGroups'), wordsOf('HELD_LANES'), wordsOf('libs/x/urgent-lane.ts')],
    [
      ['wish', 'groups'],
      ['held', 'lanes'],
      ['libs', 'x', 'urgent', 'lane', 'ts'],
    ],
  );
});

for (const text of [
  'class Doorbells {}',
  'interface WishContext { readonly value: string }',
  'interface RelayParts { readonly value: string }',
  'class ServiceKit {}',
  'const own = 1;',
  'const run = (given: string) => given;',
  'class A { hold(): void {} }',
  'type Say = (line: string) => void;',
  'const { a: told } = { a: 1 };',
  'const carryOutAsked = 1;',
  'class A { watchAnew(): void {} }',
  'const tellsOfGroup = 1;',
])
  test(`a declaration with a retired name is refused: ${text}`, () => {
    assert.equal(problemsOf(text).length, 1);
  });

for (const text of [
  'process.once("exit", stop);',
  'emitter.on("x", f, { once: true });',
  'const ownKeys = new Set();',
  'const keyRing = new KeyRing();',
  'const carryAllOut = 1;',
  'const { lane } = row;',
  'const rows = await tx.query<{ held: number }>(sql);',
  'const until = lease.held;',
  'const letters = [...text];',
  'const officeParts = [];',
  'class A { assemble(): void {} }',
  'const statement = "insert into outbox (lane) values ($1)";',
])
  test(`an external name is permitted: ${text}`, () => {
    assert.deepEqual(problemsOf(text), []);
  });

test('a common word is refused only where it was retired', () => {
  assert.equal(problemsOf('const letters = templates;', 'libs/auth/src/a.ts').length, 1);
});

test('a retired phrase is refused in comments, titles and messages', () => {
  assert.equal(problemsOf('/** Begins anew. */\nconst a = 1;').length, 1);
  assert.equal(problemsOf("it('rings a doorbell', () => undefined);").length, 1);
  assert.equal(problemsOf("print('It begins anew.');").length, 1);
  assert.equal(problemsOf('print(`${name} is laid aside: ${reason}`);').length, 1);
  assert.equal(problemsOf('print(`${name}: ${reason} is told`);').length, 1);
});

test('a value, a statement and code in a comment are no messages', () => {
  assert.deepEqual(problemsOf("const flag = 'anew';"), []);
  assert.deepEqual(problemsOf('query(`with a as (delete from ${table}), told as (select 1) select 1`);'), []);
  assert.deepEqual(problemsOf('/** An open route declares `nobody`. */\nconst a = 1;'), []);
});

test('code in a page is not checked', () => {
  assert.equal(pageProblems('docs/a.md', 'It begins anew.').length, 1);
  assert.deepEqual(pageProblems('docs/a.md', 'Run `--embed-anew`, or:\n```\nanew\n```\n'), []);
});

test('a file with a retired name or ending is refused', () => {
  assert.equal(pathProblems('libs/platform/queue/src/doorbells.ts').length, 1);
  assert.equal(pathProblems('libs/auth/src/users/users.calls.ts').length, 1);
  assert.equal(pathProblems('libs/x/test/redis.alone.stack.ts').length, 1);
  assert.deepEqual(pathProblems('libs/contracts/src/calls.ts'), []);
});

test('a duplicate term or a missing file is refused', () => {
  const page = '| Work signal | Tells of work | `libs/a.ts` |\n| Work signal | Again | `libs/b.ts` |\n';
  assert.deepEqual(
    glossaryProblems(page, (file) => file === 'libs/a.ts'),
    ['docs/glossary.md has Work signal twice.', 'docs/glossary.md: Work signal names libs/b.ts, which is not there.'],
  );
  assert.equal(glossaryProblems('', () => true).length, 1);
});
