import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import promises, { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failpoints } from '@acervo/platform-messaging';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

const names = (count: number, from = 0): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${from + at}.txt`, `Texto ${from + at}.`]));

describe('a folder in a bad moment', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());
  afterEach(() => jest.restoreAllMocks());

  const ingested = (files: Readonly<Record<string, string>>): Promise<IngestedFolder> =>
    IngestedFolder.of(bench, files);

  it.each([
    [
      'emptied',
      /are gone at once/,
      (root: string) => readdirSync(root).forEach((name) => unlinkSync(join(root, name))),
    ],
    [
      'an empty mount point, because the share is not there',
      /are gone at once/,
      (root: string) => {
        renameSync(root, `${root}-share`);
        mkdirSync(root);
      },
    ],
    [
      'one whose .acervoignore cannot be read',
      /^The \.acervoignore of the folder cannot be read.* at most 256 kB/,
      (root: string) => mkdirSync(join(root, '.acervoignore')),
    ],
    [
      'one whose .acervoignore has a rule beyond the limits',
      /^Line 2 of the \.acervoignore of the folder has more than 16 wildcards, so nothing was read or changed/,
      (root: string) => writeFileSync(join(root, '.acervoignore'), `a\n${'*a'.repeat(17)}`),
    ],
    ['gone', /^The folder cannot be read/, (root: string) => rmSync(root, { recursive: true })],
    [
      'a link to another folder',
      /cannot be read/,
      (root: string) => {
        renameSync(root, `${root}-other`);
        symlinkSync(`${root}-other`, root);
      },
    ],
  ])('a folder that is %s keeps its documents, with a notice', async (_what, notice, happens) => {
    const folder = await ingested(names(5));
    happens(folder.root);
    await folder.isUnharmedBy(async () => {
      expect(await folder.ingest()).toMatchObject({ missing: 0, notice: expect.stringMatching(notice) as string });
    });
  });

  it.each(['readdir', 'lstat'] as const)(
    'after a failing %s, unseen files stay and removed ones elsewhere leave',
    async (call) => {
      const folder = await ingested({ ...names(5), 'sub/a.txt': 'Abajo uno.', 'sub/deep/b.txt': 'Abajo dos.' });
      for (const name of ['f0.txt', 'sub/a.txt']) unlinkSync(join(folder.root, name));
      const real = promises[call] as (...args: unknown[]) => Promise<unknown>;
      const spy = jest.spyOn(promises, call as 'lstat');
      spy.mockImplementation((async (path: string, ...more: unknown[]) => {
        const fails = path.endsWith(call === 'readdir' ? '/sub' : '/sub/deep');
        if (fails) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        return real(path, ...more);
      }) as never);
      const missing = async (): Promise<string[]> =>
        (await folder.documents()).filter(({ status }) => status === 'NO_ENCONTRADO').map(({ path }) => path);
      const seen = call === 'readdir' ? ['f0.txt'] : ['f0.txt', 'sub/a.txt'];
      expect(await folder.ingest()).toMatchObject({
        missing: seen.length,
        notice: `1 entry could not be read (${call === 'readdir' ? 'sub' : 'sub/deep'}); what lies there was left as it is.`,
      });
      expect(await missing()).toEqual(seen);
      expect(await folder.removedFolders()).toEqual([]);
      jest.restoreAllMocks();
      expect(await folder.ingest()).toMatchObject({ missing: 2 - seen.length, notice: null });
      expect(await missing()).toEqual(['f0.txt', 'sub/a.txt']);
    },
  );

  it('removed files leave a partly unreadable folder; acceptance removes the rest', async () => {
    const folder = await ingested({ ...names(5), 'private/a.txt': 'Reservado.', 'private/b/c.txt': 'Más.' });
    const readdir = promises.readdir as (...args: unknown[]) => Promise<unknown>;
    jest
      .spyOn(promises, 'readdir')
      .mockImplementation(((path: string, ...more: unknown[]) =>
        path.endsWith('/private')
          ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
          : readdir(path, ...more)) as never);
    unlinkSync(join(folder.root, 'f0.txt'));
    expect(await folder.ingest()).toMatchObject({ missing: 1 });
    unlinkSync(join(folder.root, 'f1.txt'));
    expect(await folder.ingest()).toMatchObject({ missing: 1 });
    expect(await folder.ingest()).toMatchObject({ missing: 0 });
    expect(await folder.accept()).toMatchObject({
      missing: 2,
      notice: '1 entry could not be read (private); the deletions were accepted there too.',
    });
    expect(await folder.removedFolders()).toEqual(['private/b']);
    jest.restoreAllMocks();
    expect(await folder.ingest()).toMatchObject({ notice: null });
    const there = (await folder.documents()).filter(({ status }) => status === 'FRAGMENTADO');
    expect(there.map(({ path }) => path)).toEqual(['f2.txt', 'f3.txt', 'f4.txt', 'private/a.txt', 'private/b/c.txt']);
  });

  it('an interrupted scan keeps every document, and the next one completes it', async () => {
    const folder = await ingested(names(60));
    const before = new Map((await folder.documents()).map(({ hash, code }) => [hash, code]));
    mkdirSync(join(folder.root, 'sub'));
    for (let at = 0; at < 50; at += 1)
      renameSync(join(folder.root, `f${at}.txt`), join(folder.root, 'sub', `f${at}.txt`));
    for (const at of [50, 51]) unlinkSync(join(folder.root, `f${at}.txt`));
    for (const [name, text] of Object.entries(names(45, 100))) writeFileSync(join(folder.root, name), text);
    let batches = 0;
    const dies = (): void => {
      if ((batches += 1) % 2 === 0) throw new Error('killed');
    };
    jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => (name === 'scan.batch' ? dies() : undefined));
    await expect(folder.scan()).rejects.toThrow();
    const half = await folder.documents();
    expect(half.filter(({ status, gone }) => gone || status === 'NO_ENCONTRADO')).toEqual([]);
    jest.restoreAllMocks();
    expect(await folder.ingest()).toMatchObject({ missing: 2, notice: null });
    const after = await folder.documents();
    expect(after.filter(({ status }) => status !== 'NO_ENCONTRADO').map(({ path }) => path)).toHaveLength(103);
    for (const { hash, code } of after) expect(code).toBe(before.get(hash) ?? code);
    expect(new Set(after.map(({ code }) => code)).size).toBe(after.length);
  });

  it('a growing file keeps its indexed content until it is whole', async () => {
    const folder = await ingested({ 'registro.txt': 'Primera línea.', 'otro.txt': 'Otro.' });
    const path = join(folder.root, 'registro.txt');
    const handle = await open(path);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    const { ino } = await handle.stat({ bigint: true });
    await handle.close();
    const stat = Reflect.get(prototype, 'stat') as FileHandle['stat'];
    const grows = async function (this: FileHandle, options: { bigint: true }) {
      const seen = await stat.call(this, options);
      if (seen.ino === ino) appendFileSync(path, 'Otra línea. ');
      return seen;
    };
    jest.spyOn(prototype, 'stat').mockImplementation(grows as never);
    appendFileSync(path, 'Segunda línea. ');
    await bench.forget();
    await folder.ingest();
    const [, growing] = await folder.documents();
    expect(growing).toMatchObject({
      status: 'ERROR',
      gone: false,
      reason: expect.stringMatching(/FileChanging/) as string,
    });
    // Its searchable content stays: nothing is published to retrieval.
    expect(await bench.published()).toEqual([]);
    jest.restoreAllMocks();
    await folder.ingest();
    expect((await folder.documents())[1]).toMatchObject({ status: 'FRAGMENTADO', reason: null });
  });

  it.each([
    ['a link to a file outside', (path: string) => symlinkSync(join(bench.place, 'secret.txt'), path)],
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ])('%s in place of a file is not read; its document stays', async (_what, swap) => {
    const folder = await ingested(names(5));
    const secret = 'Nadie debe leer esto de fuera.';
    writeFileSync(join(bench.place, 'secret.txt'), secret);
    appendFileSync(join(folder.root, 'f0.txt'), ' Cambia.');
    await folder.scan();
    // Between the scan and the acquire step.
    rmSync(join(folder.root, 'f0.txt'));
    swap(join(folder.root, 'f0.txt'));
    await bench.exhaust(folder.groupId);
    const [swapped] = await folder.documents();
    expect(swapped).toMatchObject({
      status: 'ERROR',
      gone: false,
      reason: expect.stringMatching(/link|special/) as string,
    });
    // The next scan ignores the entry and reports it; the document waits for its file.
    expect(await folder.ingest()).toMatchObject({ missing: 1, ignored: [{ entries: 1 }] });
    expect((await folder.documents()).filter(({ gone }) => gone)).toEqual([]);
    for (const key of await bench.objectKeys(folder.groupId))
      expect((await bench.objects.get({ groupId: folder.groupId }, key)).toString('utf8')).not.toContain(secret);
  });
});
