import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderNotOpen } from '../locations/location.errors';
import { DirectFileAccess } from '../file-access/direct-file-access';
import { OpenedFolders } from './opened-folders';

describe('folders that the operator opened to groups', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-opened-')));
  const [open, twin, secret] = ['open', 'open-twin', 'secret'].map((name) => join(place, name));
  const [inside, file] = [join(open ?? '', 'inside'), join(open ?? '', 'file.txt')];
  beforeAll(() => {
    for (const folder of [inside, twin, secret]) mkdirSync(folder ?? '', { recursive: true });
    writeFileSync(file, 'x');
    symlinkSync(secret ?? '', join(open ?? '', 'out'));
    symlinkSync(inside, join(open ?? '', 'within'));
    symlinkSync(open ?? '', join(place, 'by-link'));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const files = new DirectFileAccess();
  const folders = (setting = `G1=${open}`): OpenedFolders => OpenedFolders.from(setting, null, files);

  it.each<[string, () => string, string]>([
    ['the folder itself', () => open ?? '', ''],
    ['a folder below it', () => inside, 'inside'],
    ['a path with detours', () => `${open}/inside/../inside/.`, 'inside'],
    ['a link to a folder below it', () => join(open ?? '', 'within'), 'inside'],
  ])('a folder below an opened one is accepted: %s', async (_what, path, found) => {
    expect((await folders().resolve('G1', path())).path).toBe(join(open ?? '', found));
  });

  it('an opened folder that is a link is accepted', async () => {
    const resolved = await folders(`G1=${join(place, 'by-link')}`).resolve('G1', join(place, 'by-link', 'inside'));
    expect(resolved.path).toBe(inside);
  });

  it.each<[string, () => string]>([
    ['a folder beside it', () => secret ?? ''],
    ['a folder whose name begins alike', () => twin ?? ''],
    ['a path that leads out', () => `${open}/../secret`],
    ['a link that leads out', () => join(open ?? '', 'out')],
    ['its parent', () => place],
    ['the root of the file system', () => '/'],
    ['a file', () => file],
    ['an absent folder', () => join(open ?? '', 'absent')],
    ['an absent folder elsewhere', () => '/absent'],
    ['a relative path', () => 'inside'],
    ['a path with a NUL byte', () => `${open}/inside\0`],
  ])('every other path gets the same refusal: %s', async (_what, path) => {
    await expect(folders().resolve('G1', path())).rejects.toThrow(FolderNotOpen);
  });

  it.each<[string, string, boolean]>([
    ['lies in product data', 'open', false],
    ['is product data', 'open/inside', false],
    ['contains product data', 'open/inside/data', false],
    ['contains hidden product data', 'open/inside/.data', true],
    ['lies beside product data', 'open/other', true],
  ])('product data is never opened: a folder that %s', async (_what, productData, requested) => {
    const resolved = OpenedFolders.from(`G1=${open}`, join(place, productData), files).resolve('G1', inside);
    if (requested) expect((await resolved).path).toBe(inside);
    else await expect(resolved).rejects.toThrow(FolderNotOpen);
  });

  it('a folder that is opened to another group is refused', async () => {
    await expect(folders().resolve('G2', inside)).rejects.toThrow(FolderNotOpen);
    expect((await folders(`G1=${secret}:G2=${open}`).resolve('G2', inside)).path).toBe(inside);
  });

  it('JSON opens paths that contain the separator', async () => {
    const colon = join(place, 'a:b=c');
    mkdirSync(colon, { recursive: true });
    const opened = folders(` ${JSON.stringify({ G1: colon, G2: [colon, open] })}\n`);
    for (const [group, path] of [
      ['G1', colon],
      ['G2', colon],
      ['G2', inside],
    ] as const)
      expect((await opened.resolve(group, path)).path).toBe(path);
    await expect(opened.resolve('G1', inside)).rejects.toThrow(FolderNotOpen);
  });

  it('an empty setting opens nothing, and a malformed one is refused', async () => {
    await expect(folders('').resolve('G1', inside)).rejects.toThrow(FolderNotOpen);
    await expect(folders('{}').resolve('G1', inside)).rejects.toThrow(FolderNotOpen);
    const malformed = ['{', '{"G1"}', '{"G1": "srv"}', '{"G1": {"a": 1}}', '{"G1": [1]}', '{"": "/srv"}'];
    for (const setting of ['/srv', 'G1=srv', 'G1=', '=/srv', 'G1=/srv:/other', ...malformed])
      expect(() => OpenedFolders.from(setting, null, files)).toThrow(/ACERVO_FOLDER_ROOTS/);
  });
});
