/**
 * This process starts the built installation, so that the suite can send Calls and read tables.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { rebuildCopies, rebuildState } from '@acervo/contracts';
import { askOpenSearch, describeOnStack } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { temporary } from '../harness/program';
import { until } from '../harness/waiting';
import { Installation } from '../harness/installation';
import { WrittenDocuments } from './written-documents';

const FIRST = 10;
const HASTEN = `update retrieval.task set not_before = now() where group_id = $1 and stage = 'drop'`;

describeOnStack('the index of a group during a rebuild', ['postgres', 'kafka', 'opensearch', 'redis', 's3'], () => {
  const place = temporary();
  const folder = join(place.path, 'folder');
  let installation: Installation;
  const written = new WrittenDocuments(folder, () => installation);
  let first: readonly string[] = [];

  /** The OpenSearch indexes of the group, and the one that searches use. */
  const indexes = async (): Promise<{ readonly all: string[]; readonly searched: string[] }> => {
    const { engines, scope } = installation;
    const alias = `${engines['ACERVO_OPENSEARCH_PREFIX']}-${scope.groupId}`;
    const answer = (await askOpenSearch(`${alias}-*/_alias`)) as Record<string, { aliases: Record<string, unknown> }>;
    const aliased = Object.entries(answer);
    const numberOf = (index: string): string => index.slice(alias.length + 1);
    const searched = aliased.filter(([, { aliases }]) => alias in aliases).map(([index]) => numberOf(index));
    return { all: aliased.map(([index]) => numberOf(index)).toSorted(), searched };
  };

  beforeAll(async () => {
    first = written.arrive(FIRST);
    installation = await Installation.start({ folder, data: join(place.path, 'data') });
    await until('the first documents are searchable', async () => (await written.open()) === 0, 120_000);
  }, 240_000);
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  it('an index rebuilt during ingestion takes over without failed searches', async () => {
    const { calls } = installation.running;
    const scope = new WorkScope(installation.scope.groupId, 'standalone', 'test');
    expect(await indexes()).toEqual({ all: ['1'], searched: ['1'] });
    const [asked, changing] = [first.slice(0, FIRST / 2), first.slice(FIRST / 2)];
    const failures: string[] = [];
    let [searches, over] = [0, false];
    const searching = (async () => {
      for (; !over; searches += 1) {
        const name = asked[searches % asked.length] ?? '';
        const found = await installation.search(written.wordOf(name), { limit: 1 }).catch(String);
        if (typeof found === 'string' || found[0]?.name !== name) failures.push(`${name}: ${JSON.stringify(found)}`);
      }
    })();
    const since = new Date().toISOString();
    expect(await calls.send(rebuildCopies, scope, {})).toEqual({ isPlanned: true });
    const isFilling = async (): Promise<boolean> => (await calls.send(rebuildState, scope, { since })).isFilling;
    const names: string[] = [];
    for (let turn = 0; await isFilling(); turn += 1) {
      names.push(...written.arrive(1));
      written.change([changing[turn % changing.length] ?? '']);
      await pause(1_000);
    }
    expect((await indexes()).searched).toEqual(['2']);
    await until(
      'all documents are searchable',
      async () => {
        await installation.change('retrieval', HASTEN);
        return (await written.open()) === 0;
      },
      120_000,
    );
    over = true;
    await searching;
    process.stdout.write(`  ${searches} searches, ${names.length} documents arrived meanwhile\n`);
    expect(failures).toEqual([]);
    expect(searches).toBeGreaterThan(FIRST);
    expect(names.length).toBeGreaterThan(0);
    expect(await written.counts([...first, ...names])).toEqual({ lost: 0, doubled: 0, copies: 0, open: 0 });
    expect(await indexes()).toEqual({ all: ['2'], searched: ['2'] });
    // A late leg is left out of a search; a missing index would be an error.
    expect(installation.log).not.toMatch(/IndexLost|OpenSearchRefused/);
  }, 300_000);
});
