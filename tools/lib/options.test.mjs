// Tests of the options of `npm start` that come from the declarations of admin commands.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { help, readOptions } from './options.mjs';

const place = mkdtempSync(join(tmpdir(), 'acervo-options-'));
after(() => rmSync(place, { recursive: true }));
const commandsOf = (...argv) => readOptions(argv).commands;

test('commands are read in the order of their execution', () => {
  assert.deepEqual(commandsOf('--status', '--system-user', 'ana@example.org', '--new-key'), [
    { name: 'new-key' },
    { name: 'system-user', value: 'ana@example.org' },
    { name: 'status' },
  ]);
  assert.deepEqual(commandsOf(), []);
});

test('an export gets an absolute path, and a name of the day without one', () => {
  const today = new Date().toISOString().slice(0, 10);
  const named = [{ name: 'export', value: join(process.cwd(), `acervo-export-${today}.json`) }];
  assert.deepEqual(commandsOf('--export'), named);
  assert.deepEqual(commandsOf('--export', '--status'), [...named, { name: 'status' }]);
  const value = join(place, 'export.json');
  assert.deepEqual(commandsOf('--export', value), [{ name: 'export', value }]);
});

test('a directory begins with a backup or with an export', () => {
  const file = join(place, 'acervo.backup');
  writeFileSync(file, '');
  assert.equal(readOptions(['--restore', file]).restoreFrom, file);
  assert.equal(readOptions([]).restoreFrom, null);
  const today = new Date().toISOString().slice(0, 10);
  const value = join(process.cwd(), `acervo-backup-${today}.tar.gz`);
  assert.deepEqual(commandsOf('--backup'), [{ name: 'backup', value }]);
  const message = 'A data directory begins with --import or with --restore, not with both.';
  assert.throws(() => readOptions(['--restore', file, '--import', file]), { message });
});

test('values that a command cannot use are refused', () => {
  const existing = join(place, 'existing.json');
  writeFileSync(existing, '');
  for (const [argv, message] of [
    [['--system-user', 'ana'], '--system-user takes an address such as ana@example.org, not "ana".'],
    [['--system-user='], '--system-user needs EMAIL.'],
    [['--export', existing], `${existing} or the file of its secrets is there already; name another file.`],
    [['--export', join(place, 'no', 'x.json')], `The folder ${join(place, 'no')} does not exist; check the name.`],
    [['--provision', 'ana@example.org'], 'There is no option --provision. "npm start -- --help" lists all options.'],
  ])
    assert.throws(() => readOptions(argv), { message });
});

test('the help lists commands below the headings of their declarations', () => {
  const section = (heading) => help().split(`${heading}, also while another start runs\n`)[1].split('\n\n')[0];
  assert.match(
    section('Documents'),
    /--retry-failed .*\n.*--explain QUESTION .*\n.*--status .*\n.*--accept-deletions /,
  );
  assert.match(section('Upkeep'), /--export \[FILE\] /);
  assert.match(section('People'), /--system-user EMAIL /);
});
