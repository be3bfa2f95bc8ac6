import { appendFileSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listDocuments, registerFolder, startRun } from '@acervo/contracts';
import { MOST_CARRIED } from '../src/attachments/attachment';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

jest.setTimeout(30_000);
type Files = Readonly<Record<string, string>>;

/** A mail with files; a file whose name ends in .eml is attached as a mail. */
const mail = (files: Files, text = 'Adjunto lo que se pidió.'): string => {
  const parts = Object.entries(files).map(
    ([name, content]) =>
      `--B\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`,
  );
  const head = 'From: Ana <ana@example.org>\r\nSubject: Obras\r\nMIME-Version: 1.0\r\n';
  return `${head}Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n\r\n${text}\r\n${parts.join('')}--B--\r\n`;
};

describe('a mail with attachments', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.source.version = '1';
    bench.source.before = () => Promise.resolve();
    return bench.forget();
  });

  const scan = (groupId: string, location_code: string) => bench.ask(startRun, groupId, { location_code });
  const ingested = async (name: string, files: Files) => {
    const groupId = newGroup();
    const root = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const again = async (): Promise<JsonObject> => {
      await bench.forget();
      const summary = await scan(groupId, String(location_code));
      await bench.work(groupId);
      return summary;
    };
    await again();
    return { groupId, root, again };
  };
  const documents = async (groupId: string): Promise<JsonObject[]> =>
    (await bench.askAs(listDocuments, groupId, { limit: 100 }))['documents'] as JsonObject[];
  const states = async (groupId: string): Promise<JsonObject> =>
    Object.fromEntries((await documents(groupId)).map(({ location, status }) => [String(location), status]));
  const topics = async (): Promise<unknown[]> => (await bench.published()).map(({ topic }) => topic).toSorted();

  it('each attachment becomes a document below the path of its mail', async () => {
    const { groupId } = await ingested('in', { 'sub/m.eml': mail({ 'plan.txt': 'El plan.', 'foto.gif': 'x' }) });
    expect(await states(groupId)).toEqual({
      '/in/sub/m.eml': 'CHUNKED',
      '/in/sub/m.eml/foto.gif': 'UNSUPPORTED',
      '/in/sub/m.eml/plan.txt': 'CHUNKED',
    });
    const [carrier, , plan] = await documents(groupId);
    expect(plan).toMatchObject({ name: 'plan.txt', location_code: carrier?.['location_code'] });
    expect(new Set((await documents(groupId)).map(({ code }) => code)).size).toBe(3);
    const link = `select p.code from ingestion.document d join ingestion.document p
      on p.group_id = d.group_id and p.document_id = d.parent_id where d.group_id = $1 and d.code = $2`;
    const [row] = await bench.database.read({ groupId }, (tx) => tx.query(link, [groupId, plan?.['code']]));
    expect(row).toEqual({ code: carrier?.['code'] });
  });

  it('a document inside a file names the file on the disk that contains it', async () => {
    const inner = mail({ 'plan.txt': 'El plan.' });
    const { groupId } = await ingested('disk', { 'sub/m.eml': mail({ 'sobre.eml': inner }) });
    const listed = (await documents(groupId)).map(({ fs }) => fs as JsonObject);
    expect(listed.map(({ path }) => path)).toEqual([
      '/disk/sub/m.eml',
      '/disk/sub/m.eml/sobre.eml',
      '/disk/sub/m.eml/sobre.eml/plan.txt',
    ]);
    expect(new Set(listed.map(({ relative_path }) => relative_path))).toEqual(new Set(['sub/m.eml']));
    const published = [...JSON.stringify(await bench.published()).matchAll(/"relative_?path":"([^"]*)"/gi)];
    expect(new Set(published.map(([, path]) => path))).toEqual(new Set(['sub/m.eml']));
  });

  it('a second scan costs nothing and reports no attachment as missing', async () => {
    const { groupId, again } = await ingested('calm', { 'm.eml': mail({ 'a.txt': 'Uno.' }), 'b.txt': 'Dos.' });
    expect(await again()).toMatchObject({ seen: 2, added: 0, changed: 0, missing: 0 });
    expect([bench.source.read, await topics()]).toEqual([[], []]);
    expect(Object.values(await states(groupId))).toEqual(['CHUNKED', 'CHUNKED', 'CHUNKED']);
  });

  it('equal names are allowed, and equal bytes are read once', async () => {
    const files = { 'a.txt': 'Lo mismo.' };
    const { groupId } = await ingested('names', { ...files, '1.eml': mail(files), '2.eml': mail(files, 'Otra vez.') });
    expect(Object.keys(await states(groupId))).toEqual([
      '/names/1.eml',
      '/names/1.eml/a.txt',
      '/names/2.eml',
      '/names/2.eml/a.txt',
      '/names/a.txt',
    ]);
    expect(bench.source.read.toSorted()).toEqual(['1.eml', '2.eml', 'a.txt']);
  });

  it('a changed mail repeats changed attachments only, and removed ones leave search', async () => {
    const before = { 'same.txt': 'Igual.', 'other.txt': 'Antes.', 'gone.txt': 'Se va.' };
    const { groupId, root, again } = await ingested('change', { 'm.eml': mail(before) });
    const codes = new Map((await documents(groupId)).map(({ location, code }) => [location, code]));
    writeFileSync(join(root, 'm.eml'), mail({ 'same.txt': 'Igual.', 'other.txt': 'Después.', 'new.txt': 'Llega.' }));
    expect(await again()).toMatchObject({ changed: 1, added: 0, missing: 0 });
    expect(bench.source.read.toSorted()).toEqual(['m.eml', 'new.txt', 'other.txt']);
    expect(await states(groupId)).toEqual({
      '/change/m.eml': 'CHUNKED',
      '/change/m.eml/gone.txt': 'MISSING',
      '/change/m.eml/new.txt': 'CHUNKED',
      '/change/m.eml/other.txt': 'CHUNKED',
      '/change/m.eml/same.txt': 'CHUNKED',
    });
    for (const { location, code } of await documents(groupId))
      if (codes.has(location)) expect(code).toBe(codes.get(location));
    expect((await topics()).filter((topic) => topic === 'document.withdrawn.v1')).toHaveLength(1);
  });

  it('attachments follow their mail when it moves, disappears, returns or fails', async () => {
    const inner = mail({ 'deep.txt': 'Muy dentro.' });
    const files = {
      'm.eml': mail({ 'a.txt': 'Uno.', 'inner.eml': inner }),
      'x.txt': 'x y',
      'y.txt': 'y z',
      'z.txt': 'z',
    };
    const { groupId, root, again } = await ingested('life', files);
    mkdirSync(join(root, 'deep'));
    renameSync(join(root, 'm.eml'), join(root, 'deep', 'm.eml'));
    await again();
    expect([bench.source.read, (await topics()).length]).toEqual([[], 4]);
    const moved = Object.keys(await states(groupId)).filter((path) => path.startsWith('/life/deep/'));
    expect(moved).toEqual([
      '/life/deep/m.eml',
      '/life/deep/m.eml/a.txt',
      '/life/deep/m.eml/inner.eml',
      '/life/deep/m.eml/inner.eml/deep.txt',
    ]);
    const statesNow = async (): Promise<unknown[]> => {
      const all = await states(groupId);
      return [...new Set(moved.map((path) => all[path]))];
    };
    unlinkSync(join(root, 'deep', 'm.eml'));
    expect(await again()).toMatchObject({ missing: 1, notice: null });
    expect([await statesNow(), (await topics()).length]).toEqual([['MISSING'], 4]);
    writeFileSync(join(root, 'deep', 'm.eml'), files['m.eml']);
    await again();
    expect([await statesNow(), bench.source.read]).toEqual([['CHUNKED'], []]);
    writeFileSync(join(root, 'deep', 'm.eml'), '');
    await again();
    expect((await states(groupId))['/life/deep/m.eml']).toMatch(/ERROR|UNSUPPORTED/);
    for (const path of moved.slice(1)) expect((await states(groupId))[path]).toBe('MISSING');
  });

  it('nested mails are followed to the depth limit only', async () => {
    const nested = [1, 2, 3, 4, 5].reduce((inner, level) => mail({ [`m${level}.eml`]: inner }), mail({ 'a.txt': 'x' }));
    const { groupId } = await ingested('nested', { 'top.eml': nested });
    const all = Object.entries(await states(groupId));
    expect(all.map(([, status]) => status)).toEqual(['CHUNKED', 'CHUNKED', 'CHUNKED', 'CHUNKED', 'CHUNKED', 'ERROR']);
  });

  it('a mail with too many files is refused as a whole', async () => {
    const many = Object.fromEntries(Array.from({ length: MOST_CARRIED + 1 }, (_, index) => [`${index}.xyz`, 'x']));
    const { groupId } = await ingested('many', { 'm.eml': mail(many) });
    expect(await states(groupId)).toEqual({ '/many/m.eml': 'ERROR' });
  });

  it('other settings or a passed failure repeat attachments', async () => {
    bench.source.before = ({ name }) => (name === 'b.txt' ? Promise.reject(new Error('away')) : Promise.resolve());
    const { groupId, again } = await ingested('settings', { 'm.eml': mail({ 'a.txt': 'Uno.', 'b.txt': 'Dos dos.' }) });
    await bench.exhaust(groupId);
    expect((await states(groupId))['/settings/m.eml/b.txt']).toBe('ERROR');
    bench.source.before = () => Promise.resolve();
    await again();
    expect(bench.source.read).toEqual([]);
    await bench.letFailuresRest(groupId);
    await again();
    expect([bench.source.read, (await states(groupId))['/settings/m.eml/b.txt']]).toEqual([['b.txt'], 'CHUNKED']);
    bench.source.version = '2';
    await again();
    expect(bench.source.read.toSorted()).toEqual(['a.txt', 'b.txt', 'm.eml']);
    expect(new Set(Object.values(await states(groupId)))).toEqual(new Set(['CHUNKED']));
    expect(await again()).toMatchObject({ changed: 0 });
    expect(bench.source.read).toEqual([]);
  });

  it('an attachment never takes the place of a file', async () => {
    const { groupId, root, again } = await ingested('place', { 'm.eml': mail({ 'a.txt': 'Uno uno.' }), 'k.txt': 'k' });
    appendFileSync(join(root, 'a.txt'), 'Uno uno.');
    expect(await again()).toMatchObject({ added: 1, missing: 0 });
    rmSync(join(root, 'a.txt'));
    await again();
    expect(await states(groupId)).toMatchObject({ '/place/a.txt': 'MISSING', '/place/m.eml/a.txt': 'CHUNKED' });
  });
});
