import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Database, EmbeddedDatabase, ownerRole } from '@acervo/platform-database';
import { placeCluster } from '../harness/prepared-cluster';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';

describe('later starts', () => {
  const place = temporary();
  const folder = join(place.path, 'folder');
  const data = join(place.path, 'data');
  let port: number;
  let key: string;
  let firstReads: ReadonlyMap<string, string>;

  const start = (more: Partial<StartRequest> = {}): Promise<Program> => Program.start({ folder, data, port, ...more });

  /** When each document was read, by name. */
  const readsOf = async (program: Program): Promise<ReadonlyMap<string, string>> => {
    const { body } = await program.ask('GET', '/v1/queue?process=ACQUIRE&limit=200');
    const items = body['items'] as readonly { readonly document_name: string; readonly updated_at: string }[];
    return new Map(items.map(({ document_name: name, updated_at: at }) => [name, at]));
  };

  beforeAll(async () => {
    port = await freePort();
    write(folder, {
      'uno.txt': 'El puente viejo se cierra por obras.',
      'two.md': '# Harvest\n\nThe harvest begins in October.',
    });
    const first = await start();
    key = first.key;
    await first.done();
    firstReads = await readsOf(first);
    expect(await first.stop()).toBe(0);
  });
  afterAll(() => place.remove());

  describe('while one of them runs', () => {
    let program: Program;
    beforeAll(async () => {
      appendFileSync(join(folder, 'uno.txt'), ' La pasarela peatonal queda abierta.');
      write(folder, { 'sub/tres.txt': 'La fuente de la plaza tiene agua potable.' });
      program = await start({ folder: null });
    });
    afterAll(() => program.stop());

    it('a later start ingests changes and keeps the first key, unprinted', async () => {
      // What makes a later start fast: it makes no group and runs no migration.
      expect(program.key).toBe('');
      expect(program.printed).not.toMatch(/brought up to date/);
      program.key = key;
      await program.done();
      expect(program.printed).toMatch(/3 files, 1 new, 1 changed, 0 gone/);
      // It reads no file that did not change.
      const reads = await readsOf(program);
      expect([...reads.keys()].toSorted()).toEqual(['tres.txt', 'two.md', 'uno.txt']);
      expect(reads.get('two.md')).toBe(firstReads.get('two.md'));
      expect(reads.get('uno.txt')).not.toBe(firstReads.get('uno.txt'));
      expect((await program.names('pasarela peatonal'))[0]).toBe('uno.txt');
      expect((await program.names('agua potable'))[0]).toBe('tres.txt');
      const [changed] = await program.search('pasarela peatonal');
      expect(changed?.chunks.map(({ extra }) => extra.chunk_number)).toEqual([0]);
    });

    it('a second start on a data directory ends; the running program continues', async () => {
      const second = Program.run({ folder: null, data, port: await freePort() });
      expect(await second.ended).toBe(0);
      expect(second.printed).toMatch(/^Acervo runs already: http:\/\/localhost:\d+\./);
      rmSync(join(data, 'control.json'));
      const third = Program.run({ folder: null, data, port: await freePort() });
      expect(await third.ended).toBe(1);
      expect(third.printed).toMatch(
        /The data directory .* is in use by process \d+; stop it or choose another directory\./,
      );
      expect((await program.ask('GET', '/v1/session')).status).toBe(200);
    });
  });

  it('a port in use is refused before anything else', async () => {
    const busy = createServer().listen(port, '127.0.0.1');
    const program = Program.run({ folder, data, port });
    expect(await program.ended).toBe(1);
    expect(program.printed.trim()).toBe(
      `Port ${port} is in use; stop what listens there or choose another. With another port: npm start -- --port N`,
    );
    busy.close();
  });

  it('a data directory of another layout is refused and stays unchanged', async () => {
    const other = join(place.path, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'acervo.json'), JSON.stringify({ format: 99 }));
    const program = Program.run({ folder, data: other, port });
    expect(await program.ended).toBe(1);
    expect(program.printed).toMatch(/has layout 99 and this version works with up to 2; nothing was changed/);
    expect(readFileSync(join(other, 'acervo.json'), 'utf8')).toBe('{"format":99}');
  });

  it('a start that only reads creates no installation', async () => {
    const absent = join(place.path, 'absent');
    const exported = join(place.path, 'export.json');
    for (const command of [{ name: 'status' }, { name: 'export', value: exported }] as const) {
      const program = Program.run({ folder: null, data: absent, port, commands: [command] });
      expect(await program.ended).toBe(1);
      expect(program.printed.trim()).toBe(
        `There is no installation in ${absent}; check --data. A start with a folder creates one: npm start -- /path/to/folder`,
      );
    }
    expect([absent, exported].map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('a start that only reads reports on and upgrades a stopped installation', async () => {
    const file = join(data, 'acervo.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, format: 1, embedder: 'hashing', migrations: undefined }));
    const older = /^The data directory of an older version was brought up to date: its layout from 1 to 2\. Older/m;
    for (const isOlder of [true, false]) {
      const program = Program.run({ folder: null, data, port, commands: [{ name: 'status' }] });
      expect(await program.ended).toBe(0);
      expect(program.printed).toMatch(/^Done: 3 of 3 documents searchable/m);
      expect(program.printed).not.toMatch(/Acervo is ready|acv_/);
      expect(older.test(program.printed)).toBe(isOlder);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(manifest);
    }
  });

  describe('a data directory without the tables of chat, and a request for a key', () => {
    let program: Program;
    let counted: number;
    afterAll(() => program.stop());

    beforeAll(async () => {
      const engine = await EmbeddedDatabase.start({ directory: join(data, 'database'), log: () => undefined });
      const owner = new Database({ ...engine.connection(ownerRole('chat')), max: 1 });
      const ran = `from chat.migrations where name like 'Chat%'`;
      counted = await owner.ungrouped(async (tx) => {
        const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(`select count(*)::int as count ${ran}`);
        for (const { name } of await tx.query<{ name: string }>(
          `select relname as name from pg_class where relnamespace = 'chat'::regnamespace and relkind = 'r'
         and relname in ('counter', 'conversation', 'message', 'citation', 'asked_request', 'support_request',
           'export_page', 'deleted_user', 'rate_count')`,
        ))
          await tx.query(`drop table chat.${name} cascade`);
        await tx.query(`delete ${ran}`);
        return count;
      });
      await owner.close();
      await engine.stop();
      const file = join(data, 'acervo.json');
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...manifest, migrations: undefined }));
      program = await start({ folder: null, commands: [{ name: 'new-key' }] });
    });

    it('the new key leaves the first one valid', async () => {
      expect(program.key).toMatch(/^acv_/);
      expect(program.key).not.toBe(key);
      for (const each of [program.key, key]) {
        program.key = each;
        expect((await program.ask('GET', '/v1/session')).status).toBe(200);
      }
    });

    it('the tables are made, and questions answered', async () => {
      expect(program.printed).toContain(`brought up to date: its database by ${counted} changes.`);
      await program.done();
      const asked = await program.ask('POST', '/v1/ask', { question: '¿Qué queda abierta?' });
      expect([asked.status, asked.body['conversation_id']]).toEqual([200, 1]);
      expect((await program.ask('GET', '/v1/conversations')).body['total']).toBe(1);
    });
  });

  it('a start that only reads prints the key an interrupted start lost', async () => {
    const begun = join(place.path, 'begun');
    placeCluster(begun);
    mkdirSync(begun, { recursive: true });
    for (const name of ['acervo.json', 'secrets.json']) copyFileSync(join(data, name), join(begun, name));
    const program = Program.run({ folder: null, data: begun, port, commands: [{ name: 'status' }] });
    expect(await program.ended).toBe(0);
    expect(program.printed).toMatch(/^API key, shown this once: {2}acv_\w+$/m);
  });

  it('a directory of other files is refused', async () => {
    const program = Program.run({ folder, data: folder, port });
    expect(await program.ended).toBe(1);
    expect(program.printed).toMatch(/is not empty and was not made by Acervo/);
  });
});
