import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandProblems } from './commands.mjs';
import { benchesIn, clientCommandsIn, stackCommandsIn, testOptionsIn } from './declared-commands.mjs';

const declared = {
  scripts: new Set(['start', 'bench', 'stack', 'lint']),
  start: new Set(['data', 'status']),
  test: testOptionsIn("const OPTIONS = ['--all', '--browser'];"),
  benches: benchesIn(
    'const usage = `npm run bench -- scan [--files N]   first\nnpm run bench -- drain [--rounds N]\n  --keep  left\n`;',
  ),
  stack: {
    commands: stackCommandsIn('Commands (default: up)\n  up        start\n  down      stop\n\nOptions\n'),
    options: new Set(['dir']),
  },
  admin: new Map([
    ['replay-dead', 'every'],
    ['plans', ['operations']],
  ]),
  generators: new Map([['service', new Set(['table'])]]),
  client: {
    options: new Set(['json']),
    commands: clientCommandsIn([
      "program.command('search <query...>').option('--limit <n>');",
      "const runs = program.command('runs'); runs.command('list').option('--open'); runs.command('run <code>').allowUnknownOption();",
      "for (const [name] of [['areas', texts.areas, areas]]) program.command(name).option('--all');",
    ]),
  },
  read: () => "parseArgs({ options: { rounds: { type: 'string' } } })",
};

test('commands and options that are declared pass', () => {
  const text = [
    '`npm run lint`, `npm start -- --data DIR --status`, `npm test -- --all`, `npm test -- libs/auth`, `--plans`,',
    '`acervo search riego --limit 3 --json`, `acervo runs list --open`, `acervo runs run x --own 1`, `acervo areas --all`,',
    '`npx nx g @acervo/tools:service NAME --table=T`, `service NAME --table=T`',
    '',
    '    npm run bench -- drain [--rounds N | --keep DIR]   # --files is another one',
    '    ACERVO_A=1 npm run stack -- down --dir DIR && npm run -s stack',
    '    node apps/operations-executor/dist/main.js --plans FILE',
    '    node apps/SERVICE/dist/main.js --replay-dead',
    '    node tools/gate-trial.mjs --rounds 3',
  ].join('\n');
  assert.deepEqual(commandProblems('docs/a.md', text, declared), []);
});

for (const [text, problem] of [
  ['`npm run gone`', /npm run gone, which package\.json/],
  ['`npm start -- --gone`', /--gone, which npm start does not take/],
  ['`npm test -- --gone`', /--gone, which npm test/],
  ['`npm run bench -- gone`', /the bench gone/],
  ['`npm run bench -- scan --rounds 3`', /--rounds, which the bench scan/],
  ['`npm run stack -- gone`', /the command gone/],
  ['`npm run stack -- up --gone`', /--gone, which npm run stack/],
  ['`node apps/gateway/dist/main.js --plans FILE`', /--plans, which apps\/gateway/],
  ['`node tools/gate-trial.mjs --gone 1`', /--gone, which tools\/gate-trial\.mjs/],
  ['`npx nx g @acervo/tools:gone`', /the generator gone/],
  ['`service NAME --gone`', /--gone, which the generator service/],
  ['`acervo gone`', /acervo gone, which is no command/],
  ['`acervo runs gone`', /acervo runs gone, which is no command/],
  ['`acervo search x --gone`', /--gone, which acervo search/],
  ['```\nnpm start -- --gone\n```', /docs\/a\.md:2 names --gone/],
  ['`--gone`', /--gone, which no program takes/],
])
  test(`a command that does not exist is reported: ${text}`, () => {
    const problems = commandProblems('docs/a.md', text, declared);
    assert.equal(problems.length, 1);
    assert.match(problems[0], problem);
  });
