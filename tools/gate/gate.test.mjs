import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { root } from '../lib/options.mjs';
import { failureLines, shortened } from './failures.mjs';
import { suiteLine } from './log.mjs';
import { leftOutBeside, NIGHTLY, runListed, secondsOfEngines, shardProblem, shardsOf, SLOW } from './shards.mjs';
import { endProcessesOf, machineFactor, pressureFalls, processesOf, RUN_MARK } from './machine.mjs';
import { forgetTally, outcomes, tally } from '../lib/tally.mjs';
import { changedPaths, reachingEngines, reasonForEngines } from './reach.mjs';
import { flakyLines, flakyOf, mayRunAgain, rerunFailed } from './rerun.mjs';

const failure = (kind, message = 'Expected: 1') => ({ title: 'a title', kind, message });

describe('a suite that failed', () => {
  it('runs again when its failure is late, whatever it proves', () => {
    assert.equal(mayRunAgain({ path: 'apps/e2e/isolation/isolation.spec.ts', failures: [failure('late')] }), true);
  });

  it('does not run again when a wall gave a wrong answer', () => {
    for (const path of [
      'apps/e2e/isolation/isolation.spec.ts',
      'apps/e2e/faults/kept-once.slow.spec.ts',
      'libs/platform/messaging/test/kills.slow.spec.ts',
      'libs/auth/test/factors.spec.ts',
      'libs/auth/test/former-access.spec.ts',
      'libs/auth/test/keys-and-scopes.spec.ts',
      'libs/auth/test/organisation/fixed-keys.spec.ts',
      'libs/auth/test/organisation/levels.spec.ts',
      'libs/auth/test/organisation/visible-areas.spec.ts',
      'libs/auth/test/people/boundaries.spec.ts',
      'libs/operations/test/anchors.spec.ts',
      'libs/platform/database/test/roles.spec.ts',
      'libs/rbac/src/rbac.spec.ts',
      'libs/retrieval/test/isolation.spec.ts',
      'libs/retrieval/test/visible-chunks.spec.ts',
      'apps/e2e/journeys/access-changes.spec.ts',
    ])
      assert.equal(mayRunAgain({ path, failures: [failure('late'), failure('wrong')] }), false, path);
  });

  it('runs again when any other suite was wrong once', () => {
    for (const path of ['libs/gateway/test/search-page.spec.ts', 'apps/e2e/journeys/living-folder.spec.ts'])
      assert.equal(mayRunAgain({ path, failures: [failure('wrong')] }), true, path);
  });

  it('prints few lines: one failure whole, the titles of the others', () => {
    const others = Array.from({ length: 9 }, () => failure('late'));
    const lines = failureLines({ path: 'a.spec.ts', failures: [failure('wrong', 'x\n'.repeat(500)), ...others] });
    assert.equal(lines[0], 'a.spec.ts › a title (wrong)');
    assert.equal(lines.length, 1 + 12 + 5 + 1);
    assert.equal(lines.at(-1), '  and 4 more');
  });
});

describe('the line of a suite', () => {
  it('is printed when it failed, with its seconds where Jest prints them', () => {
    assert.equal(suiteLine('FAIL auth libs/auth/test/a.spec.ts'), '  fail libs/auth/test/a.spec.ts');
    assert.equal(suiteLine('FAIL auth libs/auth/test/a.spec.ts (7.25 s)'), '  fail libs/auth/test/a.spec.ts 7 s');
  });

  it('is printed when it passed after 20 seconds or later', () => {
    assert.equal(suiteLine('PASS auth libs/auth/test/a.spec.ts (61.2 s)'), '  pass libs/auth/test/a.spec.ts 61 s');
    for (const end of ['', ' (19.9 s)']) assert.equal(suiteLine(`PASS auth libs/auth/test/a.spec.ts${end}`), undefined);
    assert.equal(suiteLine('Tests: 3 passed'), undefined);
  });
});

describe('a message in short form', () => {
  it('arrays are cut after five items', () => {
    const items = Array.from({ length: 300 }, (_, at) => `-   "item ${at}",`);
    assert.deepEqual(shortened(['Expected []', ...items, 'Received'].join('\n')).slice(5), [
      items[4],
      '      …',
      'Received',
    ]);
  });

  it('frames of packages and colours are left out', () => {
    const red = `${String.fromCharCode(27)}[31mwrong${String.fromCharCode(27)}[39m`;
    assert.deepEqual(shortened(`${red}\n    at x (node_modules/jest/a.js:1)\n    at y (test/a.spec.ts:2)`), [
      'wrong',
      '    at y (test/a.spec.ts:2)',
    ]);
  });
});

describe('the two shards', () => {
  const suites = [
    'apps/e2e/journeys/a.slow.spec.ts',
    'apps/standalone/test/b.spec.ts',
    'apps/e2e/isolation/isolation.spec.ts',
    'libs/auth/test/c.spec.ts',
    'apps/e2e/faults/d.spec.ts',
  ];
  const [slow, , isolation, library] = suites;

  it('suites that end programs share a shard, libraries have the other', () => {
    const { programs, libraries } = shardsOf(suites, {});
    assert.deepEqual(programs.slice(0, 3), [slow, suites[1], suites[4]]);
    assert.equal(libraries[0], library);
    assert.deepEqual([...programs, ...libraries].toSorted(), suites.toSorted());
  });

  it('another suite of programs goes where less is to be done', () => {
    assert.ok(shardsOf(suites, { [slow]: 300 }).libraries.includes(isolation));
    assert.ok(shardsOf(suites, { [library]: 300 }).programs.includes(isolation));
    assert.ok(shardsOf(suites, { [library]: 300 }, 600).libraries.includes(isolation));
  });

  it('each suite on engines counts for the shard that they follow', () => {
    const [none, one] = [secondsOfEngines({ [library]: 9 }), secondsOfEngines({ [library]: 9, 'a.stack.ts': 40 })];
    assert.equal(one - none, 40);
  });
});

describe('a suite that a short run leaves out', () => {
  const [drain, kills] = ['apps/e2e/faults/drain.slow.spec.ts', 'libs/platform/messaging/test/kills.slow.spec.ts'];
  const runs = (path, named) =>
    !leftOutBeside([NIGHTLY, SLOW], named).some((each) => new RegExp(each).test(`/${path}`));

  it('does not run with its folder', () => {
    assert.deepEqual([runs(drain, ['apps/e2e/faults']), runs(drain, [])], [false, false]);
    assert.equal(runs('apps/e2e/faults/soak.nightly.spec.ts', ['apps/e2e']), false);
  });

  it('runs by its name, which leaves the others out', () => {
    for (const named of [drain, 'drain.slow.spec.ts'])
      assert.deepEqual([runs(drain, [named]), runs(kills, [named, 'libs'])], [true, false], named);
  });
});

describe('a shard', () => {
  const passed = { path: 'a.spec.ts', failed: 0 };
  const broken = { path: 'a.spec.ts', failed: 1 };
  const error = { message: 'libraries ended with SIGKILL', tail: ['the last line'] };

  it('whose process ended before all suites ran is a problem, whatever failed', () => {
    const problem = shardProblem('libraries', ['a.spec.ts', 'b.spec.ts'], [broken], error);
    assert.deepEqual(problem, { message: '1 suites of libraries did not run, b.spec.ts first', tail: error.tail });
  });

  it('that failed without a failed suite is a problem', () => {
    assert.equal(shardProblem('libraries', ['a.spec.ts'], [passed], error).message, error.message);
  });

  it('is judged by its suites when all of them ran', () => {
    assert.equal(shardProblem('libraries', ['a.spec.ts'], [broken], error), undefined);
    assert.equal(shardProblem('libraries', ['a.spec.ts'], [passed], undefined), undefined);
  });
});

describe('a run', () => {
  it('ends the processes that carry its mark, and no others', async () => {
    const start = (mark) =>
      spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { env: { [RUN_MARK]: mark } });
    const [mine, other] = [start('run-1'), start('run-2')];
    await Promise.all([once(mine, 'spawn'), once(other, 'spawn')]);
    const [ended] = [once(mine, 'exit')];
    assert.equal(endProcessesOf('run-1').length, 1);
    assert.deepEqual((await ended)[1], 'SIGKILL');
    assert.deepEqual(processesOf('run-2'), [other.pid]);
    other.kill('SIGKILL');
  });

  it('the factor of a machine lies between one and six', () => {
    const factor = machineFactor();
    assert.ok(factor >= 1 && factor <= 6);
  });
});

describe('the pressure of a machine', () => {
  const reading = (values) => () => (values.length > 1 ? values.shift() : values[0]);

  it('is waited for until it is low', async () => {
    const quick = { withinMs: 60_000, everyMs: 1 };
    assert.equal(await pressureFalls(5, { ...quick, read: reading([40, 12, 5]) }), true);
    assert.equal(await pressureFalls(5, { ...quick, read: () => undefined }), true);
  });

  it('that stays high is an answer too', async () => {
    assert.equal(await pressureFalls(5, { withinMs: 5, everyMs: 1, read: () => 40 }), false);
  });
});

describe('a change', () => {
  it('reaches the engines by their clients, migrations and suites', () => {
    for (const path of [
      'libs/platform/messaging/src/kafka/relay.ts',
      'libs/auth/src/migrations/factors.ts',
      'libs/retrieval/src/legs/opensearch/index.ts',
      'apps/e2e/stack/written-documents.ts',
      'package-lock.json',
    ])
      assert.equal(reachingEngines(['README.md', path]), path);
  });

  it('of documents, pages and rules reaches none of them', () => {
    const paths = [
      'docs/search.md',
      'libs/gateway/src/search.controller.ts',
      'libs/rbac/src/guard.ts',
      'tools/gate.mjs',
    ];
    assert.equal(reachingEngines(paths), undefined);
  });

  it('reaches the engines where its base is unknown or is itself', () => {
    for (const base of ['no-such-commit', '', 'HEAD'])
      assert.equal(reasonForEngines(changedPaths(base)), 'no commit to compare with', base);
  });
});

describe('the second try', () => {
  const RUN = 'gate-test';
  const folder = join(root, 'node_modules', '.acervo-tests');
  const suite = (path, failures = []) => ({
    path,
    passed: 3,
    failed: failures.length,
    skipped: 0,
    seconds: 1,
    failures,
  });
  const write = (name, suites) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(suites));
  };
  const forget = () => forgetTally(RUN);
  beforeEach(forget);
  after(forget);
  const silent = () => undefined;

  it('a suite that passes counts as passed, and is flaky', async () => {
    write(RUN, [suite('libs/a/test/a.spec.ts', [failure('late')]), suite('libs/a/test/b.spec.ts')]);
    const again = (path, name) => write(name, [suite(path)]);
    assert.equal(await rerunFailed([RUN], again, silent), true);
    assert.equal(tally([RUN]), '6 passed, 0 failed');
    const [flaky] = flakyOf(outcomes([RUN]));
    assert.deepEqual(flakyLines(flaky, '2026-11-25'), [
      'FLAKY libs/a/test/a.spec.ts › a title (late)',
      '  for tools/flaky.json: {"suite":"libs/a/test/a.spec.ts","test":"a title","kind":"late","since":"2026-11-25","cause":""}',
    ]);
  });

  it('a suite that fails again fails the run', async () => {
    write(RUN, [suite('libs/a/test/a.spec.ts', [failure('wrong')])]);
    const again = (path, name) => write(name, [suite(path, [failure('wrong')])]);
    assert.equal(await rerunFailed([RUN], again, silent), false);
    assert.match(failureLines(outcomes([RUN])[0])[0], /wrong, twice/);
  });

  it('does not hide the failure of a later run of the same name', async () => {
    const path = 'libs/a/test/a.spec.ts';
    write(RUN, [suite(path, [failure('late')])]);
    await rerunFailed([RUN], (_path, name) => write(name, [suite(path)]), silent);
    forgetTally(RUN);
    write(RUN, [suite(path, [failure('late')])]);
    assert.equal(tally([RUN]), '3 passed, 1 failed');
  });

  it('does not excuse suites that never ran', async () => {
    const [ran, missed] = ['libs/a/test/a.stack.ts', 'libs/a/test/b.stack.ts'];
    const problem = await runListed(RUN, [ran, missed], () => {
      write(RUN, [suite(ran, [failure('late')])]);
      return new Error('Jest was killed');
    });
    assert.equal(await rerunFailed([RUN], (path, name) => write(name, [suite(path)]), silent), true);
    assert.equal(problem.message, `1 suites of ${RUN} did not run, ${missed} first`);
  });

  it('more than five failed suites do not run again', async () => {
    const many = Array.from({ length: 6 }, (_, at) => suite(`libs/a/test/${at}.spec.ts`, [failure('late')]));
    write(RUN, many);
    const ran = [];
    assert.equal(await rerunFailed([RUN], (path) => ran.push(path), silent), false);
    assert.deepEqual(ran, []);
  });
});
