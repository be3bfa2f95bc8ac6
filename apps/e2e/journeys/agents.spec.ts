import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { keyWith, PASSWORD } from '../harness/people';
import { freePort, Program, temporary, write } from '../harness/program';

const FILES = {
  'turnos.txt': 'Los turnos de la acequia empiezan a las diez de la noche.',
  'acta.txt': 'El acta trata del pozo y del molino.',
};

type Body = Answer['body'];

interface Tool {
  readonly operation: string;
  readonly public_name: string;
  readonly input_schema: { readonly required: readonly string[] };
  readonly read_only: boolean;
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('an agent over HTTP', () => {
  const place = temporary();
  const keys = { admin: '', reader: '' };
  type Caller = keyof typeof keys;
  let program: Program;

  const ask = (caller: Caller, method: string, path: string, body?: object) =>
    program.ask(method, path, body, { authorization: `Bearer ${keys[caller]}` });
  const context = async (caller: Caller, profile = 'user_chat'): Promise<Body> =>
    (await ask(caller, 'GET', `/v1/agent/context?function_profile=${profile}`)).body;
  const toolsOf = async (caller: Caller): Promise<readonly Tool[]> => (await context(caller))['tools'] as Tool[];
  const call = (caller: Caller, name: string, toolArguments: object = {}) =>
    ask(caller, 'POST', `/v1/agent/tools/${name}`, { arguments: toolArguments });
  const execute = async (code: string, input: object): Promise<Body> =>
    (await ask('admin', 'POST', `/v1/operations/${code}:execute`, { input, confirm: true })).body['result'] as Body;

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, FILES);
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD };
    program = await Program.start({ folder, data: join(place.path, 'data'), port: await freePort(), environment });
    await program.done();
    keys.admin = program.key;
    const reader = { email: 'ana@example.org', role: 'LECTORA', level: 'USUARIO', seen: ['CHAT-USER'] };
    keys.reader = await keyWith(program, reader);
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('the prompt has the texts of the group, and its hash is recomputed', async () => {
    await ask('admin', 'PUT', '/v1/organization', { group_system_prompt: 'Trata de usted a los socios.' });
    const { system_prompt, system_prompt_hash, layers } = await context('reader');
    const listed = layers as readonly { code: string; sha256: string }[];
    expect(String(system_prompt)).toMatch(/Trata de usted a los socios\.$/);
    expect(listed[1]).toMatchObject({ code: 'GROUP', sha256: sha256('Trata de usted a los socios.') });
    expect(system_prompt_hash).toBe(sha256(JSON.stringify(listed.map((layer) => [layer.code, layer.sha256]))));
  });

  it('the tools have every visible operation once', async () => {
    for (const caller of ['admin', 'reader'] as const) {
      const { operations } = (await ask(caller, 'GET', '/v1/operations')).body;
      const listed = (await toolsOf(caller)).map(({ operation }) => operation);
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toEqual(expect.arrayContaining((operations as { code: string }[]).map(({ code }) => code)));
    }
  });

  it('every tool that reads and needs no argument answers', async () => {
    const bare = (await toolsOf('admin')).filter((tool) => tool.read_only && tool.input_schema.required.length === 0);
    expect(bare.map(({ public_name }) => public_name)).toEqual(
      expect.arrayContaining(['audit_list', 'list_areas', 'list_catalog', 'list_queue', 'list_spaces', 'get_usage']),
    );
    for (const { public_name } of bare)
      expect([public_name, (await call('admin', public_name)).status]).toEqual([public_name, 200]);
  });

  it('a search of an agent is found in the usage', async () => {
    const used = async (): Promise<number> => {
      const { quotas } = (await call('reader', 'get_usage')).body;
      return (quotas as { feature: string; used: number }[]).find(({ feature }) => feature === 'RETRIEVALS')?.used ?? 0;
    };
    const before = await used();
    const { body } = await call('reader', 'search_documents', { query: 'turnos de la acequia', limit: 1 });
    expect(body).toMatchObject({ documents: [{ name: 'turnos.txt' }], total_documents: 1 });
    expect(await used()).toBe(before + 1);
  });

  it('a withheld tool answers as an absent one', async () => {
    const messages = await Promise.all(
      ['documents_delete', 'get_document_edges', 'nothing'].map(async (name) => {
        const { status, body } = await call('reader', name, { document_code: 'D1' });
        return [status, body['code'], body['message'], body['details']];
      }),
    );
    expect(messages[0]?.slice(0, 2)).toEqual([404, 'NOT_FOUND']);
    expect(new Set(messages.map((message) => JSON.stringify(message))).size).toBe(1);
  });

  it('a deletion is previewed, withheld from keys, then confirmed once', async () => {
    const { documents } = (await call('admin', 'list_documents')).body;
    const document_code = (documents as { code: string; name: string }[]).find(({ name }) => name === 'acta.txt')?.code;
    const { preview, executed } = (await call('admin', 'documents_delete', { document_code, confirm: true })).body;
    expect([executed, (preview as Body)['effect']]).toEqual([false, expect.objectContaining({ documents: 1 })]);
    const confirmed = { document_code, confirm: true, preview_token: (preview as Body)['preview_token'] };
    await execute('parameters.update_group', { parameter_code: 'AGENT_CONFIRMS', value: 'false' });
    expect((await call('admin', 'documents_delete', confirmed)).status).toBe(403);
    expect((await call('admin', 'get_document', { document_code })).status).toBe(200);
    await execute('parameters.update_group', { parameter_code: 'AGENT_CONFIRMS', value: null });
    expect((await call('admin', 'documents_delete', confirmed)).body).toMatchObject({ executed: true });
    expect((await call('admin', 'get_document', { document_code })).status).toBe(404);
    expect((await call('admin', 'documents_delete', confirmed)).status).toBe(404);
  });

  it('help lists and describes what the caller may do', async () => {
    const help = (name: string, toolArguments: object) =>
      ask('reader', 'POST', `/v1/agent/tools/${name}`, { arguments: toolArguments, function_profile: 'support_chat' });
    const { operations } = (await help('list_operations', {})).body;
    const [first] = operations as { code: string }[];
    expect((await help('describe_operation', { code: first?.code })).body).toMatchObject({ code: first?.code });
    expect((await help('get_function', { function_code: 'CHAT-USER' })).body).toMatchObject({ code: 'CHAT-USER' });
    expect((await help('search_documents', { query: 'turnos' })).status).toBe(404);
  });
});
