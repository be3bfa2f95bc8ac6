import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsIn, settingProblems } from './settings.mjs';

const reference = [
  '| Variable | Default | Meaning |',
  '| --- | --- | --- |',
  '| `ACERVO_POOL` | `8` | Connections |',
  '| `ACERVO_POOL_WAITING` | `256` | Waiting |',
  '| `ACERVO_CHARACTERS` | `20000000` | Characters |',
  '| `ACERVO_ENGINE` | `postgresql` | Engine |',
].join('\n');
const settings = {
  names: new Set(['ACERVO_POOL', 'ACERVO_POOL_WAITING', 'ACERVO_CHARACTERS', 'ACERVO_ENGINE', 'ACERVO_KEY_CURRENT']),
  defaults: defaultsIn(reference),
};
const tableOf = (setting, value) => `| Setting | Default |\n| --- | --- |\n| ${setting} | ${value} |\n`;

for (const text of [
  '`ACERVO_POOL` (8) and `ACERVO_ENGINE=redis` (default: `postgresql`, which needs nothing)',
  '| `ACERVO_POOL` | connections (default 8) |',
  '    ACERVO_POOL=8   # default',
  '    ACERVO_POOL=16  # an example',
  'The step `_CURRENT`; `ACERVO_POOL`, `_WAITING`; `ACERVO_HOME_L10000` (9) is of a folder',
  tableOf('`ACERVO_POOL`, `ACERVO_POOL_WAITING`', '8 and 256; `npm start`: 4'),
  tableOf('`ACERVO_POOL`, `_WAITING`', '8, 256'),
  tableOf('`ACERVO_CHARACTERS`', '20 million'),
  tableOf('3 x `ACERVO_POOL`', '24'),
])
  test(`settings with their defaults pass: ${text}`, () => {
    assert.deepEqual(settingProblems('docs/a.md', text, settings), []);
  });

for (const [text, problem] of [
  ['`ACERVO_GONE`', /ACERVO_GONE, which no program reads/],
  ['`ACERVO_POOL`, `_GONE`', /_GONE, which ends no setting/],
  ['`ACERVO_POOL` (16)', /says that ACERVO_POOL is 16 by default; it is 8/],
  ['`ACERVO_ENGINE=redis` (default: `memory`)', /is memory by default; it is postgresql/],
  ['| `ACERVO_POOL` | connections (default 1,000) |', /is 1000 by default/],
  ['    ACERVO_POOL=9   # default', /is 9 by default/],
  [tableOf('`ACERVO_POOL`, `ACERVO_POOL_WAITING`', '8 and 128; `npm start`: 4'), /POOL_WAITING is 128/],
  [tableOf('`ACERVO_CHARACTERS`', '10 million'), /is 10000000 by default/],
])
  test(`a wrong setting is reported: ${text}`, () => {
    const problems = settingProblems('docs/a.md', text, settings);
    assert.equal(problems.length, 1);
    assert.match(problems[0], problem);
  });
