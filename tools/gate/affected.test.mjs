import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../lib/options.mjs';
import { FEATURES, PROVES, provedBy, reachedSuites, reachOf } from './affected.mjs';
import { listSuites } from './shards.mjs';

const [CHAT, RETRIEVAL] = ['libs/chat/test/a.spec.ts', 'libs/retrieval/test/b.spec.ts'];
const [ASKS, SPACES, DRAIN] = ['killed-asks', 'killed-spaces', 'drain'].map(
  (name) => `apps/e2e/faults/${name}.slow.spec.ts`,
);
const JOURNEY = 'apps/e2e/journeys/spaces.spec.ts';
/** It compares names in `docs` and `tools` with the settings. */
const NAMES_PAGES = 'apps/standalone/test/configuration.spec.ts';
const ALL = [CHAT, RETRIEVAL, ASKS, SPACES, DRAIN, JOURNEY];

describe('a change', () => {
  it('of a feature reaches suites of what depends on it, and slow ones that prove it', () => {
    const reach = { changed: ['libs/chat'], affected: ['libs/chat', 'apps/chat-service'] };
    assert.deepEqual(reachedSuites(ALL, reach), [CHAT, ASKS, JOURNEY]);
  });

  it('of the platform or a program reaches every suite of the programs', () => {
    for (const folder of ['libs/platform/queue', 'libs/contracts', 'apps/standalone'])
      assert.deepEqual(reachedSuites(ALL, { changed: [folder], affected: [folder] }), [ASKS, SPACES, DRAIN, JOURNEY]);
  });

  it('of pages, charts and tools that judge reaches the suites that name them', async () => {
    for (const path of [
      'docs/search.md',
      'CHANGELOG.md',
      'deploy/charts/x.yaml',
      'tools/gate.mjs',
      'tools/bench/web.mjs',
    ]) {
      const reach = await reachOf([path]);
      assert.deepEqual([reach.changed, reach.affected], [[], []]);
      assert.deepEqual(reachedSuites([...ALL, NAMES_PAGES], reach), [NAMES_PAGES]);
    }
  });

  it('of a suite reaches that suite alone', async () => {
    for (const path of [JOURNEY, 'libs/chat/src/asking/asking.spec.ts']) {
      assert.ok(existsSync(join(root, path)), path);
      assert.deepEqual(reachedSuites([CHAT, ASKS, path], await reachOf([path])), [path]);
    }
  });

  it('of what suites share reaches those that import it', async () => {
    const [bed, embedder] = ['libs/chat/test/bed.ts', 'apps/e2e/harness/word-embedder.ts'];
    const reach = await reachOf([bed, embedder]);
    const importing = ['libs/chat/src/asking/asking.spec.ts', 'apps/e2e/journeys/rebuild.slow.spec.ts'];
    assert.deepEqual(reachedSuites([...ALL, ...importing], reach), importing);
  });

  it('of what every suite of the programs starts with reaches all of them', async () => {
    const reach = await reachOf(['apps/e2e/harness/prepare-cluster.ts']);
    assert.deepEqual(reachedSuites(ALL, reach), [ASKS, SPACES, DRAIN, JOURNEY]);
  });

  it('of unknown extent, or of a file of the workspace, reaches all suites', async () => {
    for (const paths of [
      undefined,
      ['package-lock.json'],
      ['libs/chat/src/index.ts', 'tools/lib/options.mjs'],
      ['samples/a'],
    ])
      assert.equal(await reachOf(paths), undefined);
  });

  it('reaches the projects that depend on it', async () => {
    const { changed, affected } = await reachOf(['libs/chat/src/index.ts', 'docs/asking.md']);
    assert.deepEqual(changed, ['libs/chat']);
    for (const folder of ['libs/chat', 'apps/chat-service', 'apps/standalone']) assert.ok(affected.includes(folder));
    assert.ok(!affected.includes('libs/platform/queue'));
  });
});

describe('the table of slow suites', () => {
  it('each feature is proved by one of them', () => {
    const proved = Object.values(PROVES).flat();
    assert.deepEqual(
      FEATURES.filter((name) => !proved.includes(name)),
      [],
    );
  });

  it('each slow suite of the programs has a row', async () => {
    const listed = await listSuites(['-c', 'jest.config.js', '--testPathPatterns', '\\.slow\\.spec\\.ts$']);
    const ofPrograms = listed.filter((path) => path.startsWith('apps/'));
    assert.deepEqual(
      ofPrograms.filter((path) => provedBy(path) === undefined),
      [],
    );
    for (const path of ofPrograms)
      for (const name of provedBy(path)) assert.ok(existsSync(join(root, 'libs', name)), name);
  });
});
