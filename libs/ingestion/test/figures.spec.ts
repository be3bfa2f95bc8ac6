import { Metrics } from '@acervo/platform-observability';
import { type GroupFigures, GroupFiguresStore } from '../src/figures/group-figures.store';
import { ScanFigures } from '../src/figures/scan-figures';
import { Bench, newGroup } from './bench';
import { IngestedFolder } from './ingested-folder';
import { Mounts } from './mounts';

const published = async (groups: Readonly<Record<string, GroupFigures>>): Promise<string> => {
  const metrics = new Metrics('ingestion');
  const none: GroupFigures = { comparisonSeconds: null, scanSeconds: null, unmounted: 0 };
  const store = {
    groups: () => Promise.resolve(Object.keys(groups)),
    of: (groupId: string) => Promise.resolve(groups[groupId] ?? none),
  };
  await new ScanFigures(store, metrics).round();
  return metrics.registry.metrics();
};

describe('figures of scans and comparisons', () => {
  it('the oldest of all groups is published, and all unmounted shares, without a group', async () => {
    const text = await published({
      'group-a': { comparisonSeconds: 70, scanSeconds: null, unmounted: 2 },
      'group-b': { comparisonSeconds: 20, scanSeconds: 900, unmounted: 1 },
    });
    expect(text).toMatch(/^acervo_last_comparison_seconds\{service="ingestion"\} 7\d(\.\d+)?$/m);
    expect(text).toMatch(/^acervo_last_scan_seconds\{service="ingestion"\} 90\d(\.\d+)?$/m);
    expect(text).toContain('acervo_shares_unmounted{service="ingestion"} 3');
    expect(text).not.toContain('group-a');
  });
  it('an age that is not known is not published', async () => {
    const text = await published({});
    expect(text).not.toMatch(/^acervo_last_(scan|comparison)_seconds\{/m);
  });
});

describe('the figures of a group', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  it('a scanned root has an age, and its latest scan counts unmounted shares', async () => {
    const folder = await IngestedFolder.of(bench, { 'a.txt': 'Uno.', 'sales/b.txt': 'Dos.' });
    const mounts = new Mounts(folder.root);
    mounts.mount('sales', 1n);
    const { groupId } = folder;
    const store = new GroupFiguresStore(bench.database, { groups: () => Promise.resolve([groupId]) });
    expect(await store.of(newGroup())).toEqual({ comparisonSeconds: null, scanSeconds: null, unmounted: 0 });
    await folder.ingest();
    const scanned = await store.of(groupId);
    expect(scanned).toMatchObject({ comparisonSeconds: null, unmounted: 0 });
    expect(scanned.scanSeconds).toBeLessThan(60);
    mounts.unmount('sales');
    await folder.ingest();
    expect((await store.of(groupId)).unmounted).toBe(1);
  });
});
