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
  let gathered: JsonObject;
  let asked: JsonObject;

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
  const login = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@acervo.local', password }),
    });
  /**
   * Deletes a document while no program runs, with the same rows as the Call, and gives a space to a user who is
   * deleted.
   */
  const change = async (name: string, space: string): Promise<void> => {
    const engine = await EmbeddedDatabase.start({ directory: join(first, 'database'), log: () => undefined });
    const [auth, ingestion, retrieval] = (['auth', 'ingestion', 'retrieval'] as const).map(
      (service) => new Database({ ...engine.connection(ownerRole(service)), max: 1 }),
    ) as [Database, Database, Database];
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
    await retrieval.write({ groupId }, (tx) =>
      tx.query(`update retrieval.space set owner_id = gen_random_uuid() where group_id = $1 and name = $2`, [
        groupId,
        space,
      ]),
    );
    await Promise.all([auth.close(), ingestion.close(), retrieval.close()]);
    await engine.stop();
  };

  const create = async (name: string, criteria: object): Promise<number> => {
    const input = { input: { name, description: `De ${name}`, criteria } };
    const { body } = await program.ask('POST', '/v1/operations/spaces.create:execute', input);
    return Number((body['result'] as JsonObject)['space_id']);
  };
  /** Spaces by name, with the documents that they show. */
  const spaces = async (): Promise<JsonObject> => {
    const { body } = await program.ask('GET', '/v1/spaces?limit=100');
    const shown: JsonObject = {};
    for (const { name, space_id: id } of body['spaces'] as { name: string; space_id: number }[]) {
      const detail = (await program.ask('GET', `/v1/spaces/${id}`)).body;
      const { refreshed_at: _at, ...space } = detail['space'] as JsonObject;
      shown[name] = { space, codes: (detail['documents'] as JsonObject[]).map(({ code }) => code) };
    }
    return shown;
  };
  /** By criteria, a list, composed of both, and one whose owner does not travel. */
  const createSpaces = async (): Promise<void> => {
    const actas = await create('Actas', { path: '**actas/uno*' });
    const found = await create('Plaza', { query: 'la fuente de la plaza', query_limit: 1 });
    expect((await program.ask('POST', `/v1/spaces/${found}/promote`, {})).status).toBe(200);
    const composition = { operation: 'union', space_id_a: actas, space_id_b: found, name: 'Todo' };
    expect((await program.ask('POST', '/v1/spaces/compose', composition)).status).toBe(200);
    await create('Ajena', { name: '*' });
  };

  /** The conversations of the administrator, with their messages. */
  const conversations = async (): Promise<JsonObject> => {
    const { body } = await program.ask('GET', '/v1/conversations');
    const { access_token: token } = (await (await login()).json()) as { access_token: string };
    const listed = body['conversations'] as { readonly conversation_id: number }[];
    const details: JsonObject[] = [];
    for (const { conversation_id: id } of listed)
      details.push(
        (await program.ask('GET', `/chat/conversaciones/${id}`, undefined, { authorization: `Bearer ${token}` })).body,
      );
    return { listed, details };
  };

  beforeAll(async () => {
    write(folder, {
      'actas/uno.txt': 'El acta del puente viejo.',
      'actas/secreto.txt': 'El acta que alguien borró habla de zanahorias.',
      'dos.txt': 'La fuente de la plaza tiene doce caños.',
    });
    await start(first, { folder, environment: { ACERVO_ADMIN_PASSWORD: password } });
    await createSpaces();
    await program.stop();
    await change('secreto.txt', 'Ajena');
    await start(first);
    codes = await documents();
    const { Ajena: ofAnother, ...ofAdministrator } = await spaces();
    expect(ofAnother).toMatchObject({ space: { type: 'AREA', is_own: false } });
    gathered = ofAdministrator;
    const { body } = await program.ask('POST', '/v1/ask', { question: '¿Cuántos caños tiene la fuente de la plaza?' });
    await program.ask('POST', '/v1/ask', {
      question: '¿Tiene la fuente de la plaza doce caños?',
      conversation_id: body['conversation_id'],
    });
    asked = await conversations();
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('a running program writes an export without secrets, readable by its owner', async () => {
    const other = Program.run({
      folder: null,
      data: first,
      port: await freePort(),
      commands: [{ name: 'export', value: file }],
    });
    expect(await other.ended).toBe(0);
    expect(other.printed).toMatch(
      /Exported to .*: 1 groups, 1 users, 1 keys, 3 documents by name, 1 of them deleted, 4 spaces, 1 conversations/,
    );
    const text = readFileSync(file, 'utf8');
    for (const secret of [key, key.split('_')[2] ?? key, password, 'zanahorias', 'puente'])
      expect(text).not.toContain(secret);
    expect(statSync(file).mode & 0o077).toBe(0);
    const { keyPepper } = JSON.parse(readFileSync(`${file}.secrets`, 'utf8')) as { keyPepper: string };
    expect(text).not.toContain(keyPepper);
    expect(Object.keys(codes)).not.toContain('secreto.txt');
    await program.stop();
  });

  it('an import keeps keys, passwords, codes and deletions', async () => {
    rmSync(first, { recursive: true });
    // Killed before its documents are there: the next start goes on.
    program = await Program.start({ folder: null, data: second, port: await freePort(), importFrom: file });
    expect(program.printed).toMatch(/Imported: 1 groups/);
    expect(program.printed).toMatch(/Left out: 1 spaces whose user or entity is not in the export/);
    program.kill();
    await program.ended;
    await start(second);
    expect((await program.ask('GET', '/v1/session')).status).toBe(200);
    expect((await login()).status).toBe(200);
    expect(await documents()).toEqual(codes);
    expect((await program.names('puente viejo'))[0]).toBe('uno.txt');
    expect(await program.names('zanahorias')).not.toContain('secreto.txt');
  });

  it('an import keeps spaces with their numbers, and gathers their documents again', async () => {
    const [uno, dos] = ['uno.txt', 'dos.txt'].map((name) => String(codes[name]).split(' ')[0]);
    expect(gathered).toMatchObject({
      Actas: { space: { space_id: 1, type: 'AREA', description: 'De Actas', is_own: true }, codes: [uno] },
      Plaza: { space: { space_id: 2, type: 'SPACE', criteria: null, is_stale: false }, codes: [dos] },
      Todo: { space: { space_id: 3, expression: { operation: 'union', space_id_a: 1, space_id_b: 2 } } },
    });
    const fresh = Object.fromEntries(
      Object.entries(gathered).map(([name, each]) => {
        const { space, ...shown } = each as { readonly space: JsonObject };
        return [name, { ...shown, space: { ...space, is_stale: false } }];
      }),
    );
    expect(await spaces()).toEqual(fresh);
    expect(await create('Nuevo', { name: 'uno*' })).toBe(5);
  });

  it('an import keeps conversations, and new ones follow them', async () => {
    expect(asked).toMatchObject({
      listed: [{ conversation_id: 1, message_count: 4 }],
      details: [
        { mensajes: [{}, { texto: expect.stringContaining('doce caños') as string, citas: [{ numero: 1 }] }, {}, {}] },
      ],
    });
    expect(await conversations()).toEqual(asked);
    const { body } = await program.ask('POST', '/v1/ask', { question: '¿Cuántos caños tiene la fuente?' });
    expect(body).toMatchObject({ conversation_id: 2, user_message_id: 5, message_id: 6 });
  });

  it('a deleted document that changes after an import is ingested again', async () => {
    write(folder, { 'actas/secreto.txt': 'El acta que alguien cambió habla de calabazas.' });
    await until('it is found', async () => (await program.names('calabazas')).includes('secreto.txt'));
    await program.stop();
    await start(second);
    expect(Object.keys(await documents()).sort()).toEqual(['dos.txt', 'secreto.txt', 'uno.txt']);
  });

  it('an imported installation refuses a second import', async () => {
    await program.stop();
    const again = Program.run({ folder: null, data: second, port: await freePort(), importFrom: file });
    expect(await again.ended).toBe(1);
    expect(again.printed).toMatch(/contains an installation already; import into a new directory, named with --data\./);
  });
});
