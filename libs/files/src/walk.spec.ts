import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { walk as walkWithin, type Walk } from './walk';
import { RootUnreadable } from './walk-errors';

const walk = (root: string, name: string): Promise<Walk> => walkWithin(root, name, { mostBytes: 1_000 });
const ignored = (found: Walk): Record<string, number> => Object.fromEntries(found.ignored);
/** Unseen paths, each with its rule. */
const unseen = (found: Walk): string[] =>
  found.unseen.map(({ folder, name, rule }) => `${rule} ${[folder.path, name ?? ''].filter(Boolean).join('/')}`);

describe('a walk', () => {
  let place: string;
  let root: string;
  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-walk-')));
    root = join(place, 'root');
    mkdirSync(root);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(place, { recursive: true, force: true });
  });

  const put = (...paths: string[]): void => {
    for (const path of paths) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), path);
    }
  };
  const filesOf = ({ files }: Walk): string[] =>
    files.map(({ folder, name }) => (folder.path === '' ? name : `${folder.path}/${name}`)).toSorted();

  it('files are found at every depth, each folder after its parent', async () => {
    put('root/a.txt', 'root/sub/b.txt', 'root/sub/deep/c.txt');
    const found = await walk(root, 'root');
    expect(filesOf(found)).toEqual(['a.txt', 'sub/b.txt', 'sub/deep/c.txt']);
    expect(found.folders.map(({ path, depth }) => [path, depth])).toEqual([
      ['', 0],
      ['sub', 1],
      ['sub/deep', 2],
    ]);
    expect(found.folders.every(({ device }) => device === 'root')).toBe(true);
    expect([ignored(found), unseen(found)]).toEqual([{}, []]);
  });

  it('links to files, folders, themselves or nothing are not followed', async () => {
    put('root/a.txt', 'outside/secret.txt');
    symlinkSync(join(place, 'outside', 'secret.txt'), join(root, 'file.txt'));
    symlinkSync(join(place, 'outside'), join(root, 'folder'));
    symlinkSync(root, join(root, 'loop'));
    symlinkSync(join(place, 'nowhere'), join(root, 'dangling.txt'));
    const found = await walk(root, 'root');
    expect(filesOf(found)).toEqual(['a.txt']);
    expect([found.folders.length, ignored(found), unseen(found)]).toEqual([1, { link: 4 }, []]);
    expect(['folder/x', 'outside'].map((path) => found.leftOut.coversFolder(path))).toEqual([true, false]);
  });

  it('a pipe is skipped without waiting for its other end', async () => {
    put('root/a.txt');
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found), unseen(found)]).toEqual([['a.txt'], { special: 1 }, []]);
  });

  it('hidden and temporary names are ignored, folders included', async () => {
    put('root/.hidden.txt', 'root/~$lock.docx', 'root/draft.TMP', 'root/.git/x.txt', 'root/node_modules/y.txt');
    put('root/tmp/kept.txt', 'root/tilde~.txt');
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found)]).toEqual([
      ['tilde~.txt', 'tmp/kept.txt'],
      { hidden: 2, temporary: 2, dependency: 1 },
    ]);
  });

  it('a file above the size limit is ignored', async () => {
    put('root/a.txt');
    writeFileSync(join(root, 'large.txt'), Buffer.alloc(1_001));
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found)]).toEqual([['a.txt'], { too_large: 1 }]);
  });

  it('.acervoignore applies in its folder and below; the deepest decides', async () => {
    put(
      'root/a.txt',
      'root/b.log',
      'root/drafts/c.txt',
      'root/sub/d.log',
      'root/sub/drafts/e.txt',
      'root/sub/kept.log',
    );
    writeFileSync(join(root, '.acervoignore'), '# not these\n*.log\n/drafts/\n');
    writeFileSync(join(root, 'sub', '.acervoignore'), '!kept.log\n');
    const found = await walk(root, 'root');
    expect(filesOf(found)).toEqual(['a.txt', 'sub/drafts/e.txt', 'sub/kept.log']);
    expect(ignored(found)).toEqual({ excluded: 3 });
  });

  it('a folder with an unreadable .acervoignore is unseen, not empty', async () => {
    put('root/a.txt', 'root/sub/b.txt', 'elsewhere.txt');
    symlinkSync(join(place, 'elsewhere.txt'), join(root, 'sub', '.acervoignore'));
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found), unseen(found)]).toEqual([['a.txt'], { unreadable: 1 }, ['unreadable sub']]);
    expect(found.unseen[0]?.forExclusions).toBe(true);
    mkdirSync(join(root, '.acervoignore'));
    await expect(walk(root, 'root')).rejects.toMatchObject({ name: 'RootUnreadable', forExclusions: true });
  });

  it('a rule beyond the limits makes its folder unseen and is named', async () => {
    put('root/a.txt', 'root/sub/b.txt');
    const text = `*.log\n${'*a'.repeat(17)}\n`;
    writeFileSync(join(root, 'sub', '.acervoignore'), text);
    const found = await walk(root, 'root');
    expect([filesOf(found), unseen(found), found.unseen[0]?.line]).toEqual([['a.txt'], ['unreadable sub'], 2]);
    writeFileSync(join(root, '.acervoignore'), text);
    await expect(walk(root, 'root')).rejects.toMatchObject({
      refused: { line: 2, problem: 'has more than 16 wildcards' },
    });
  });

  it('a folder whose name begins like the root is not entered', async () => {
    put('root/a.txt', 'root-twin/b.txt');
    expect(filesOf(await walk(root, 'root'))).toEqual(['a.txt']);
  });

  const whenSeen = (name: string, happens: (path: string) => void): void => {
    const lstat = promises.lstat;
    jest.spyOn(promises, 'lstat').mockImplementation(async (path, options) => {
      const stats = await lstat(path, options);
      if (String(path).endsWith(`/${name}`)) happens(String(path));
      return stats;
    });
  };

  const whenListed = (name: string, happens: (path: string) => void, when: 'before' | 'after' = 'after'): void => {
    const readdir = promises.readdir as (path: string) => Promise<string[]>;
    jest.spyOn(promises, 'readdir').mockImplementation((async (path: string) => {
      const isIt = path.endsWith(`/${name}`);
      if (isIt && when === 'before') happens(path);
      const names = await readdir(path);
      if (isIt && when === 'after') happens(path);
      return names;
    }) as never);
  };

  it('a folder that vanishes before its listing counts as unreadable', async () => {
    put('root/a.txt', 'root/going/b.txt', 'root/staying/c.txt');
    whenSeen('going', (path) => rmSync(path, { recursive: true }));
    const found = await walk(root, 'root');
    expect(filesOf(found)).toEqual(['a.txt', 'staying/c.txt']);
    expect([ignored(found), unseen(found)]).toEqual([{ unreadable: 1 }, ['unreadable going']]);
  });

  it('an entry that vanishes after the listing is skipped as absent', async () => {
    put('root/a.txt', 'root/sub/b.txt', 'root/sub/c.txt');
    whenListed('sub', (path) => rmSync(join(path, 'b.txt')));
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found), unseen(found)]).toEqual([['a.txt', 'sub/c.txt'], {}, []]);
  });

  it('a folder replaced after its listing is unseen', async () => {
    put('root/a.txt', 'root/share/b.txt', 'root/share/c.txt');
    whenListed('share', (path) => {
      renameSync(path, join(place, 'away'));
      put('root/share/c.txt');
    });
    const found = await walk(root, 'root');
    expect([filesOf(found), unseen(found)]).toEqual([['a.txt'], ['unreadable share']]);
    jest.restoreAllMocks();
    whenListed('root', (path) => {
      renameSync(path, join(place, 'gone'));
      mkdirSync(path);
    });
    await expect(walk(root, 'root')).rejects.toThrow(RootUnreadable);
  });

  it('a folder replaced before its listing is unseen, even an empty one', async () => {
    put('root/a.txt', 'root/share/b.txt');
    const unmount = (path: string): void => {
      renameSync(path, join(place, 'away'));
      mkdirSync(path);
    };
    whenListed('share', unmount, 'before');
    const found = await walk(root, 'root');
    expect([filesOf(found), unseen(found)]).toEqual([['a.txt'], ['unreadable share']]);
  });

  it('an entry that cannot be read is named, unless it is excluded', async () => {
    put('root/a.txt', 'root/sub/bad', 'root/sub/c.txt');
    const lstat = promises.lstat;
    jest
      .spyOn(promises, 'lstat')
      .mockImplementation((path, options) =>
        String(path).endsWith('/bad')
          ? Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }))
          : lstat(path, options),
      );
    expect(unseen(await walk(root, 'root'))).toEqual(['unreadable sub/bad']);
    writeFileSync(join(root, '.acervoignore'), 'bad/\n');
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found), unseen(found)]).toEqual([['a.txt', 'sub/c.txt'], { excluded: 1 }, []]);
  });

  // Other file systems reject such names.
  (process.platform === 'linux' ? it : it.skip)(
    'counts names that are no UTF-8, and sees what lies beside',
    async () => {
      put('root/a.txt', 'root/\uFFFD.txt');
      const latin1 = (name: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
      writeFileSync(latin1('año.txt'), 'x');
      mkdirSync(latin1('caña'));
      const found = await walk(root, 'root');
      expect([filesOf(found), ignored(found), unseen(found)]).toEqual([['a.txt', '\uFFFD.txt'], { not_utf8: 2 }, []]);
    },
  );

  it('a folder below the depth limit is reported', async () => {
    put(`root/a.txt`, `root/${'d/'.repeat(152)}b.txt`);
    const found = await walk(root, 'root');
    expect([filesOf(found), ignored(found)]).toEqual([['a.txt'], { too_deep: 1 }]);
    expect(unseen(found)).toEqual([`too_deep ${'d/'.repeat(150)}d`]);
  });

  it('a link that replaces a folder before its listing is not entered', async () => {
    put('root/a.txt', 'root/swapped/b.txt', 'outside/secret.txt');
    whenSeen('swapped', (path) => {
      rmSync(path, { recursive: true });
      symlinkSync(join(place, 'outside'), path);
    });
    const found = await walk(root, 'root');
    expect([filesOf(found), unseen(found)]).toEqual([['a.txt'], ['unreadable swapped']]);
  });

  it('a renamed folder keeps its inode, a replaced one does not', async () => {
    put('root/one/a.txt');
    const inodeAt = async (path: string): Promise<string | undefined> =>
      (await walk(root, 'root')).folders.find((folder) => folder.path === path)?.inode;
    const before = await inodeAt('one');
    renameSync(join(root, 'one'), join(root, 'two'));
    expect(await inodeAt('two')).toBe(before);
    rmSync(join(root, 'two'), { recursive: true });
    // The file system may assign the number again.
    for (let time = 0; time < 20; time += 1) {
      put('root/one/a.txt');
      expect(await inodeAt('one')).not.toBe(before);
      rmSync(join(root, 'one'), { recursive: true });
    }
  });

  it('a root that is gone, a file or a link is unreadable', async () => {
    put('file.txt');
    symlinkSync(root, join(place, 'link'));
    for (const path of ['nowhere', 'file.txt', 'link'])
      await expect(walk(join(place, path), 'root')).rejects.toThrow(RootUnreadable);
    whenSeen('root', (path) => rmSync(path, { recursive: true }));
    await expect(walk(root, 'root')).rejects.toMatchObject({ name: 'RootUnreadable', forExclusions: false });
  });
});
