import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Database, EmbeddedDatabase, ownerRole } from '@acervo/platform-database';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

type JsonObject = Record<string, unknown>;
const NOBODY = '00000000-0000-0000-0000-000000000000';
const password = 'una contraseña bien larga 73';

describe('an installation that is exported and imported into a new data directory', () => {
  const place = temporary();
  const [folder, first, second, file] = ['folder', 'first', 'second', 'export.json'].map((name) =>
    join(place.path, name),
  ) as [string, string, string, string];
  let program: Program;
  let port: number;
  let key = '';
  let codes: JsonObject;

  const start = async (data: string, more: Partial<StartRequest> = {}): Promise<void> => {
    port = await freePort();
    program = await Program.start({ folder: null, data, port, ...more });
    key ||= program.key;
    program.key = key;
    await program.done();
  };
  const documents = async (): Promise<JsonObject> => {
    const { body } = await program.ask('GET', '/v1/documents?limit=100');
    const listed = body['documents'] as { name: string; code: string; status: string }[];
    return Object.fromEntries(listed.map(({ name, code, status }) => [name, `${code} ${status}`]));
  };
  const login = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@acervo.local', password }),
    });
    return answer.status;
  };
  /** Deletes a document while no program runs, with the same rows as the Call. */
  const deleteDocument = async (name: string): Promise<void> => {
    const engine = await EmbeddedDatabase.start({ directory: join(first, 'database'), log: () => undefined });
    const [auth, ingestion] = (['auth', 'ingestion'] as const).map(
      (service) => new Database({ ...engine.connection(ownerRole(service)), max: 1 }),
    ) as [Database, Database];
    const [group] = await auth.read({ groupId: NOBODY }, (tx) =>
      tx.query<{ group_id: string }>('select group_id from auth.installation'),
    );
    const groupId = group?.group_id ?? '';
    await ingestion.write({ groupId }, (tx) =>
      tx.query(
        `update ingestion.document set deleted_at = now(), revision = revision + 1, generation = generation + 1,
           handed_over = null where group_id = $1 and name = $2`,
        [groupId, name],
      ),
    );
    await Promise.all([auth.close(), ingestion.close()]);
    await engine.stop();
  };

  beforeAll(async () => {
    write(folder, {
      'actas/uno.txt': 'El acta del puente viejo.',
      'actas/secreto.txt': 'El acta que alguien borró habla de zanahorias.',
      'dos.txt': 'La fuente de la plaza.',
    });
    await start(first, { folder, environment: { ACERVO_ADMIN_PASSWORD: password } });
    await program.stop();
    await deleteDocument('secreto.txt');
    await start(first);
    codes = await documents();
  }, 180_000);
  afterAll(async () => {
    await program.stop();
    place.remove();
  }, 60_000);

  it('a running program writes an export without secrets, readable by its owner', async () => {
    const other = Program.run({
      folder: null,
      data: first,
      port: await freePort(),
      commands: [{ name: 'export', value: file }],
    });
    expect(await other.ended).toBe(0);
    expect(other.printed).toMatch(/Exported to .*: 1 groups, 1 users, 1 keys, 3 documents by name, 1 of them deleted/);
    const text = readFileSync(file, 'utf8');
    for (const secret of [key, key.split('_')[2] ?? key, password, 'zanahorias', 'puente'])
      expect(text).not.toContain(secret);
    expect(statSync(file).mode & 0o077).toBe(0);
    const { keyPepper } = JSON.parse(readFileSync(`${file}.secrets`, 'utf8')) as { keyPepper: string };
    expect(text).not.toContain(keyPepper);
    expect(Object.keys(codes)).not.toContain('secreto.txt');
    await program.stop();
  }, 120_000);

  it('an import keeps keys, passwords, codes and deletions', async () => {
    rmSync(first, { recursive: true });
    await start(second, { importFrom: file });
    expect(program.printed).toMatch(/Imported: 1 groups/);
    expect((await program.ask('GET', '/v1/session')).status).toBe(200);
    expect(await login()).toBe(200);
    expect(await documents()).toEqual(codes);
    expect((await program.names('puente viejo'))[0]).toBe('uno.txt');
    expect(await program.names('zanahorias')).not.toContain('secreto.txt');
  }, 180_000);

  it('a deleted document that changes after an import is ingested again', async () => {
    write(folder, { 'actas/secreto.txt': 'El acta que alguien cambió habla de calabazas.' });
    await until('it is found', async () => (await program.names('calabazas')).includes('secreto.txt'));
    await program.stop();
    await start(second);
    expect(Object.keys(await documents()).sort()).toEqual(['dos.txt', 'secreto.txt', 'uno.txt']);
  }, 120_000);

  it('an imported installation refuses a second import', async () => {
    await program.stop();
    const again = Program.run({ folder: null, data: second, port: await freePort(), importFrom: file });
    expect(await again.ended).toBe(1);
    expect(again.printed).toMatch(/contains an installation already; import into a new directory, named with --data\./);
  }, 60_000);
});
