import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDocument, ingestionProgress, listDocuments, NotFound, registerFolder, startRun } from '@acervo/contracts';
import { keyTables } from '@acervo/platform-calls';
import { appRole, catalogueViolations } from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import { ingestionSharedTables } from '../src/web-sources/web-sources.migrations';
import { Bench, newGroup } from './bench';

describe('a folder', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  const register = async (groupId: string, path: string): Promise<string> =>
    String((await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' }))['location_code']);
  const scan = (groupId: string, location_code: string) => bench.ask(startRun, groupId, { location_code });
  const documents = async (groupId: string, input = {}, claims = {}): Promise<Record<string, unknown>[]> =>
    (await bench.askAs(listDocuments, groupId, input, claims))['documents'] as Record<string, unknown>[];
  const topics = async (): Promise<unknown[]> => (await bench.published()).map(({ topic }) => topic);

  it('a folder is ingested once, and a second scan costs nothing', async () => {
    const groupId = newGroup();
    const root = bench.folder('first', {
      'acta.md': '# Acta\n\nEl consejo aprueba la cuota de riego.',
      'sub/nota.txt': 'La bomba se para por la helada.',
      'empty.txt': '',
      'drawing.dwg': 'x',
      '.hidden.txt': 'x',
      '~$lock.md': 'x',
    });
    symlinkSync('/etc/passwd', join(root, 'link.txt'));
    const location = await register(groupId, root);
    expect(await scan(groupId, location)).toMatchObject({
      seen: 4,
      added: 4,
      changed: 0,
      missing: 0,
      ignored: expect.arrayContaining([
        { rule: 'hidden', entries: 1 },
        { rule: 'temporary', entries: 1 },
        { rule: 'link', entries: 1 },
      ]) as unknown,
      notice: null,
    });
    await bench.work(groupId);
    const [prepared, embedded] = ['document.prepared.v1', 'document.embedded.v1'];
    expect(await topics()).toEqual([prepared, prepared, embedded, embedded]);
    const listed = await documents(groupId);
    expect(Object.fromEntries(listed.map(({ name, status }) => [name, status]))).toEqual({
      'acta.md': 'CHUNKED',
      'nota.txt': 'CHUNKED',
      'empty.txt': 'UNSUPPORTED',
      'drawing.dwg': 'UNSUPPORTED',
    });
    await bench.forget();
    expect(await scan(groupId, location)).toMatchObject({ seen: 4, added: 0, changed: 0, missing: 0 });
    expect([await bench.work(groupId), bench.cpu.runs, await topics()]).toEqual([0, [], []]);
    const progress = await bench.ask(ingestionProgress, groupId, {});
    expect(progress).toMatchObject({ waiting: 2 });
    expect(progress['failures']).toContainEqual({
      path: '/first/empty.txt',
      status: 'UNSUPPORTED',
      reason: 'No text found.',
    });
  });

  it('a folder registered twice is one location; an absent one is refused', async () => {
    const groupId = newGroup();
    const root = bench.folder('twice', {});
    expect(await register(groupId, root)).toBe(await register(groupId, `${root}/.`));
    await expect(register(groupId, join(root, 'nowhere'))).rejects.toThrow(/cannot be read/);
  });

  it('a folder is found without an entity, and not registered by that', async () => {
    const groupId = newGroup();
    const root = bench.folder('found', {});
    const find = () => bench.ask(registerFolder, groupId, { path: root });
    await expect(find()).rejects.toThrow(NotFound);
    const code = await register(groupId, root);
    expect(await find()).toMatchObject({ location_code: code, created: false });
  });

  it('equal bytes are extracted and embedded once', async () => {
    const groupId = newGroup();
    await bench.forget();
    const location = await register(
      groupId,
      bench.folder('same', { 'one.txt': 'Las mismas palabras.', 'two.txt': 'Las mismas palabras.' }),
    );
    await scan(groupId, location);
    await bench.work(groupId);
    expect([bench.source.read.length, bench.cpu.count('embed'), (await topics()).length]).toEqual([1, 1, 4]);
  });

  it('only changes cost work, moved files keep codes, removed ones are withdrawn', async () => {
    const groupId = newGroup();
    const root = bench.folder('living', {
      'a.txt': 'Uno.',
      'b.txt': 'Dos dos.',
      'c.txt': 'Tres tres tres.',
      'd.txt': 'Cuatro.',
    });
    const location = await register(groupId, root);
    await scan(groupId, location);
    await bench.work(groupId);
    const before = new Map((await documents(groupId)).map(({ name, code }) => [name, code]));
    await bench.forget();

    appendFileSync(join(root, 'a.txt'), ' Y más.');
    mkdirSync(join(root, 'deep'));
    renameSync(join(root, 'b.txt'), join(root, 'deep', 'b.txt'));
    unlinkSync(join(root, 'c.txt'));
    writeFileSync(join(root, 'e.txt'), 'Cinco cinco.');
    expect(await scan(groupId, location)).toMatchObject({ seen: 4, added: 1, changed: 1, missing: 1, notice: null });
    await bench.work(groupId);
    expect([bench.source.read.length, bench.cpu.count('embed')]).toEqual([2, 2]);
    expect((await topics()).toSorted()).toEqual([
      'document.described.v1',
      'document.embedded.v1',
      'document.embedded.v1',
      'document.prepared.v1',
      'document.prepared.v1',
      'document.withdrawn.v1',
    ]);
    const after = await documents(groupId);
    expect(after.find(({ location: path }) => path === '/living/deep/b.txt')?.['code']).toBe(before.get('b.txt'));
    expect(after.find(({ name }) => name === 'c.txt')?.['status']).toBe('MISSING');
  });

  it('a scan signals work for new files, none for deleted ones', async () => {
    const groupId = newGroup();
    const root = bench.folder('signalled', { 'a.txt': 'Uno.', 'b.txt': 'Dos.', 'c.txt': 'Tres.' });
    const location = await register(groupId, root);
    const signals = async (): Promise<readonly string[]> => {
      bench.signals.length = 0;
      await scan(groupId, location);
      return bench.signals;
    };
    expect(await signals()).toEqual(['acquire']);
    await bench.work(groupId);
    unlinkSync(join(root, 'c.txt'));
    await bench.forget();
    expect(await signals()).toEqual([]);
    expect(await topics()).toEqual(['document.withdrawn.v1']);
  });

  it('a suddenly empty or absent folder changes nothing, with a notice', async () => {
    const groupId = newGroup();
    const root = bench.folder('share', { 'a.txt': 'Uno.', 'b.txt': 'Dos.', 'c.txt': 'Tres.' });
    const location = await register(groupId, root);
    await scan(groupId, location);
    for (const name of ['a.txt', 'b.txt']) unlinkSync(join(root, name));
    expect(await scan(groupId, location)).toMatchObject({ missing: 0, notice: expect.stringMatching(/\w/) as string });
    rmSync(root, { recursive: true });
    expect(await scan(groupId, location)).toMatchObject({
      seen: 0,
      missing: 0,
      notice: expect.stringMatching(/cannot be read/) as string,
    });
    for (const { status } of await documents(groupId)) expect(status).not.toBe('MISSING');
  });

  it('a group does not see folders of another with equal codes', async () => {
    const [one, two] = [newGroup(), newGroup()];
    for (const [index, groupId] of [one, two].entries())
      await scan(groupId, await register(groupId, bench.folder(`group-${index}`, { [`only-${index}.txt`]: 'x y z' })));
    for (const [index, groupId] of [one, two].entries()) {
      const [document, ...others] = await documents(groupId);
      expect([document?.['name'], others]).toEqual([`only-${index}.txt`, []]);
      expect(await bench.askAs(getDocument, groupId, { document_code: document?.['code'] })).toMatchObject({
        name: `only-${index}.txt`,
      });
    }
    expect((await documents(one))[0]?.['code']).toBe((await documents(two))[0]?.['code']);
  });

  it('documents are visible by entity, area and folder', async () => {
    const groupId = newGroup();
    await scan(groupId, await register(groupId, bench.folder('seen', { 'top.txt': 'a b', 'inner/low.txt': 'c d' })));
    const all = await documents(groupId);
    const low = all.find(({ name }) => name === 'low.txt');
    expect(low?.['url']).toBe(`http://test/app/documents/${String(low?.['code'])}`);
    const names = async (input: object, claims: object = {}): Promise<unknown[]> =>
      (await documents(groupId, input, claims)).map(({ name }) => name).toSorted();
    expect(await names({}, { entities: ['E2'] })).toEqual([]);
    expect(await names({}, { locationRoots: [String(low?.['location_code'])] })).toEqual(['low.txt']);
    expect(await names({ location_code: low?.['location_code'] })).toEqual(['low.txt']);
    expect(await names({ status: 'DETECTED' })).toEqual(['low.txt', 'top.txt']);
    const hidden = all.find(({ name }) => name === 'top.txt')?.['code'];
    const inside = { locationRoots: [String(low?.['location_code'])] };
    // One after the other: a rejection without a handler ends the test run.
    for (const attempt of [
      () => bench.askAs(getDocument, groupId, { document_code: hidden }, inside),
      () => bench.askAs(getDocument, groupId, { document_code: 'D999' }),
      () => bench.askAs(listDocuments, groupId, { location_code: 'L999' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('the schema check accepts the tables of the service', async () => {
    const expected = {
      schema: 'ingestion',
      appRole: appRole('ingestion'),
      notTenant: [...messagingTables, ...keyTables, ...ingestionSharedTables, 'migrations'],
    };
    expect(await bench.database.ungrouped((tx) => catalogueViolations(tx.query, expected))).toEqual([]);
  });
});
