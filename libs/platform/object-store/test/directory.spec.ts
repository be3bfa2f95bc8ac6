import { mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryObjectStore, newObjectKey, ObjectStoreUnusable } from '../src';
import { behavesLikeAnObjectStore } from './object-store.behaviour';

behavesLikeAnObjectStore(
  'a directory',
  async () => new DirectoryObjectStore(await mkdtemp(join(tmpdir(), 'acervo-objects-'))),
);

describe('a directory of objects', () => {
  it('tidying deletes old interrupted writes and keeps current ones', async () => {
    const root = mkdtempSync(join(tmpdir(), 'acervo-objects-'));
    const groupId = '00000000-0000-7000-8000-00000000000a';
    const folder = join(root, 'group', groupId, 'text');
    mkdirSync(folder, { recursive: true });
    for (const name of ['old.part', 'young.part']) writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, 'old.part'), 1, 1);
    expect(await new DirectoryObjectStore(root).tidy({ groupId }, new Date(Date.now() - 60_000))).toBe(1);
    expect(readdirSync(folder)).toEqual(['young.part']);
  });

  it('objects are readable by their owner only, whatever the umask', async () => {
    const root = join(mkdtempSync(join(tmpdir(), 'acervo-objects-')), 'objects');
    const scope = { groupId: '00000000-0000-7000-8000-00000000000a' };
    const before = process.umask(0);
    await new DirectoryObjectStore(root).put(scope, newObjectKey(scope, 'text'), Buffer.from('Uno.'));
    process.umask(before);
    const names = ['.', ...readdirSync(root, { recursive: true }).map(String)];
    expect(names).toHaveLength(5);
    for (const name of names) expect([name, statSync(join(root, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('a refused or repeated creation leaves no temporary file', async () => {
    const root = mkdtempSync(join(tmpdir(), 'acervo-objects-'));
    const scope = { groupId: '00000000-0000-7000-8000-00000000000a' };
    const key = newObjectKey(scope, 'head');
    const store = new DirectoryObjectStore(root);
    for (const text of ['one', 'two']) await store.create(scope, key, Buffer.from(text));
    expect(readdirSync(join(root, 'group', scope.groupId, 'head'))).toHaveLength(1);
  });

  it('an unusable directory stops a start and names the setting', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'acervo-objects-')), 'file');
    writeFileSync(file, '');
    const checked = new DirectoryObjectStore(join(file, 'objects')).assertWritable();
    await expect(checked).rejects.toThrow(ObjectStoreUnusable);
    await expect(checked).rejects.toThrow(/ACERVO_OBJECTS_DIRECTORY/);
  });
});
