import { rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestionProgress } from '@acervo/contracts';
import { Bench } from './bench';
import { Mounts } from './mounts';
import { IngestedFolder } from './ingested-folder';

jest.setTimeout(60_000);

const few = { 'f0.txt': 'Texto 0.', 'f1.txt': 'Texto 1.', 'f2.txt': 'Texto 2.', 'f3.txt': 'Texto 3.' };
const sales = { 'sales/a.txt': 'Ventas uno.', 'sales/deep/b.txt': 'Ventas dos.' };

describe('a share in a folder', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => jest.restoreAllMocks());

  /** An ingested folder with a mounted share in it. */
  const ingested = async (files: Readonly<Record<string, string>> = sales, device = 1n) => {
    const folder = await IngestedFolder.of(bench, { ...few, ...files });
    const mounts = new Mounts(folder.root);
    mounts.mount('sales', device);
    expect(await folder.ingest()).toMatchObject({ notice: null });
    return { folder, mounts, path: (name: string) => join(folder.root, name) };
  };

  it('an unmounted share keeps its documents and is recognised when it returns', async () => {
    const { folder, mounts, path } = await ingested();
    const before = await folder.documents();
    mounts.unmount('sales');
    for (const withMountPoint of [true, false]) {
      if (!withMountPoint) rmdirSync(path('sales'));
      await folder.isUnharmedBy(async () => {
        const notice = '1 share is not mounted (sales); what lies there was left as it is.';
        for (const _again of [1, 2]) expect(await folder.ingest()).toMatchObject({ missing: 0, notice });
      });
    }
    const { notices } = (await bench.ask(ingestionProgress, folder.groupId, {})) as { notices: unknown[] };
    expect(notices).toMatchObject([{ unread: 0, unmounted: 1 }]);
    unlinkSync(path('f0.txt'));
    expect(await folder.ingest()).toMatchObject({ missing: 1 });
    mounts.remount('sales', 1n);
    expect(await folder.ingest()).toMatchObject({ missing: 0, notice: null });
    expect((await folder.documents()).slice(1)).toEqual(before.slice(1));
    mounts.unmount('sales');
    expect(await folder.accept()).toMatchObject({ missing: 2 });
    expect(await folder.ingest()).toMatchObject({ missing: 0, notice: null });
  });

  it.each([
    ['mounted', () => undefined],
    ['an empty mount point', (mounts: Mounts) => mounts.unmount('sales')],
    [
      'gone with its mount point',
      (mounts: Mounts, path: string) => {
        mounts.unmount('sales');
        rmdirSync(path);
      },
    ],
  ])('a share excluded by .acervoignore leaves, be it %s', async (_what, happens) => {
    const { folder, mounts, path } = await ingested();
    happens(mounts, path('sales'));
    writeFileSync(path('.acervoignore'), 'sales/\n');
    expect(await folder.ingest()).toMatchObject({ missing: 2, notice: null });
    expect(await folder.removedFolders()).toEqual(['sales', 'sales/deep']);
  });

  it('a copied file does not move documents of an unmounted share', async () => {
    const { folder, mounts, path } = await ingested();
    const before = await folder.documents();
    mounts.unmount('sales');
    writeFileSync(path('copy.txt'), sales['sales/a.txt']);
    expect(await folder.ingest()).toMatchObject({ added: 1, missing: 0 });
    const after = await folder.documents();
    expect(after.filter(({ path: at }) => at !== 'copy.txt')).toEqual(before);
    expect(after).toHaveLength(before.length + 1);
  });

  it('a file moved out of a lost share keeps its code', async () => {
    const { folder, mounts, path } = await ingested();
    const codeOf = async (name: string): Promise<unknown> =>
      (await folder.documents()).find(({ path: at }) => at === name)?.code;
    const before = await codeOf('sales/a.txt');
    mounts.unmount('sales');
    writeFileSync(path('kept.txt'), sales['sales/a.txt']);
    expect(await folder.accept()).toMatchObject({ added: 0, missing: 1 });
    expect(await codeOf('kept.txt')).toBe(before);
  });

  it('a nested unmounted share keeps its documents, whatever device contains it', async () => {
    const { folder, mounts, path } = await ingested({ ...sales, 'sales/old/c.txt': 'Ventas de antes.' });
    mounts.mount('sales/old', 2n);
    await folder.ingest();
    const before = await folder.documents();
    mounts.unmount('sales/old');
    // Devices are numbered in the order of their mounts.
    for (const device of [1n, 2n, 2n]) {
      mounts.mount('sales', device);
      const notice = '1 share is not mounted (sales/old); what lies there was left as it is.';
      expect(await folder.ingest()).toMatchObject({ missing: 0, notice });
    }
    expect(await folder.documents()).toEqual(before);
    rmdirSync(path('sales/old'));
    mounts.remount('sales/old', 4n);
    expect(await folder.ingest()).toMatchObject({ missing: 0, added: 0, notice: null });
    expect(await folder.documents()).toEqual(before);
  });

  it('a share with a new device number is one share despite deletions', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`sales/deep/${at}.txt`, `Venta ${at}.`]));
    const { folder, mounts, path } = await ingested({ ...sales, ...many });
    mounts.mount('sales', 2n);
    rmSync(path('sales/deep'), { recursive: true });
    for (const _again of [1, 2])
      expect(await folder.ingest()).toMatchObject({
        missing: 0,
        notice: expect.stringMatching(/^10 of 15 documents are gone at once[^(]*$/) as string,
      });
  });
});
