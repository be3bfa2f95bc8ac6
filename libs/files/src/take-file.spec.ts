import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocumentRefused, FileChanging } from './refusal';
import { takeFile } from './acquire-file';

const MOST = 1_000_000;

describe('acquiring a file', () => {
  let place: string;
  let root: string;
  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-take-')));
    root = join(place, 'root');
    mkdirSync(join(root, 'sub'), { recursive: true });
    mkdirSync(join(place, 'root-twin'));
    writeFileSync(join(root, 'sub', 'a.txt'), 'Uno dos.');
    writeFileSync(join(place, 'root-twin', 'secret.txt'), 'secret');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(place, { recursive: true, force: true });
  });

  it('a file is read with its hash and size', async () => {
    const { bytes, hash, size, mtime } = await takeFile({ root, most: MOST, relativePath: 'sub/a.txt' });
    expect(Buffer.from(bytes).toString()).toBe('Uno dos.');
    expect([hash, size]).toEqual([createHash('sha256').update('Uno dos.').digest('hex'), 8]);
    expect(mtime).toMatch(/^\d{19}$/);
  });

  it('an empty file gives no bytes', async () => {
    writeFileSync(join(root, 'empty.txt'), '');
    expect(await takeFile({ root, most: MOST, relativePath: 'empty.txt' })).toMatchObject({ size: 0 });
  });

  it.each<[string, string, RegExp, () => void]>([
    ['a link', 'x.txt', /link stands in place/, () => symlinkSync(join(root, 'sub', 'a.txt'), join(root, 'x.txt'))],
    [
      'a file behind a linked folder',
      'l/a.txt',
      /through a link/,
      () => symlinkSync(join(root, 'sub'), join(root, 'l')),
    ],
    ['a file of a folder whose name begins alike', '../root-twin/secret.txt', /through a link/, () => undefined],
    ['a pipe', 'pipe.txt', /special file/, () => void execFileSync('mkfifo', [join(root, 'pipe.txt')])],
    ['a folder', 'sub', /special file/, () => undefined],
    ['a file that is gone', 'gone.txt', /not there any more/, () => undefined],
    ['a file below a file', 'sub/a.txt/b.txt', /not there any more/, () => undefined],
  ])('%s is refused until the next scan', async (_what, relativePath, reason, prepare) => {
    prepare();
    const error: unknown = await takeFile({ root, most: MOST, relativePath }).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(DocumentRefused);
    expect(error).toMatchObject({
      status: 'ERROR',
      retryOnScan: true,
      message: expect.stringMatching(reason) as string,
    });
  });

  it('a too large file is refused for good, without reading it', async () => {
    writeFileSync(join(root, 'large.txt'), '');
    truncateSync(join(root, 'large.txt'), MOST + 1);
    await expect(takeFile({ root, most: MOST, relativePath: 'large.txt' })).rejects.toMatchObject({
      name: 'DocumentRefused',
      retryOnScan: false,
    });
  });

  it.each<[string, (path: string) => void]>([
    ['grows', (path) => appendFileSync(path, ' tres')],
    ['shrinks', (path) => truncateSync(path, 3)],
    [
      'is overwritten at the same length',
      (path) => {
        writeFileSync(path, 'Dos uno.');
        utimesSync(path, 1, 1);
      },
    ],
  ])('a file that %s while it is read gives nothing', async (_how, change) => {
    const path = join(root, 'sub', 'a.txt');
    const handle = await open(path);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const stat = Reflect.get(prototype, 'stat') as FileHandle['stat'];
    jest.spyOn(prototype, 'stat').mockImplementationOnce(async function (this: FileHandle, options) {
      const before = await stat.call(this, options);
      change(path);
      return before;
    });
    await expect(takeFile({ root, most: MOST, relativePath: 'sub/a.txt' })).rejects.toThrow(FileChanging);
  });
});
