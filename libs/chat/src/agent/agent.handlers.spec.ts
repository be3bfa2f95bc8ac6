import {
  type Call,
  callAgentTool,
  createEntity,
  deleteDocument,
  executeOperation,
  Forbidden,
  getAgentContext,
  getDocument,
  getPrompts,
  InvalidInput,
  listDocuments,
  NotFound,
  readParameters,
  type ScopeClaims,
  screens,
  searchDocuments,
} from '@acervo/contracts';
import type { SendOptions } from '@acervo/platform-calls';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import type { AnyScope, Scope } from '@acervo/rbac';
import { openBed } from '../../test/bed';

type JsonObject = Readonly<Record<string, unknown>>;

interface Sent {
  readonly code: string;
  readonly scope: AnyScope;
  readonly input: JsonObject;
  readonly options: SendOptions;
}

/** The other services: records what they are sent, and answers what a test prepared. */
class Neighbours {
  readonly sent: Sent[] = [];
  readonly answers = new Map<string, object>();

  send<O extends object>(
    { code }: Call<object, O>,
    scope: AnyScope,
    input: object,
    options: SendOptions = {},
  ): Promise<O> {
    this.sent.push({ code, scope, input: { ...input }, options });
    const answer = this.answers.get(code);
    if (answer === undefined) return Promise.reject(new Error(`${code} has no answer.`));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as O);
  }
}

const neighbours = new Neighbours();
let bed: ServiceTestBed;
beforeAll(async () => {
  bed = await openBed({ neighbours, environment: { ACERVO_AGENT_RETRIEVALS: '3' } });
});
afterAll(() => bed.close());
beforeEach(() => {
  neighbours.sent.length = 0;
  neighbours.answers.clear();
});

const group = newGroup();
const caller = (claims: Partial<ScopeClaims> = {}): Scope =>
  administratorOf(group, {
    ...{ groupCode: 'G1', userName: 'Ana', functions: screens, credential: 'session', areaFocusIsExplicit: false },
    ...{ activeArea: null, authorizedAreaRoot: null },
    ...claims,
  });
const chats = { profile: 'USUARIO', functions: ['CHAT-USER'] } as const;
const key = { credential: 'api_key' } as const;

const call = (scope: Scope, publicName: string, toolArguments: JsonObject = {}): Promise<JsonObject> =>
  bed.send(callAgentTool, scope, { publicName, arguments: toolArguments }).then(({ result }) => result);

describe('the context of an agent', () => {
  const prompts = {
    group: { code: 'G1', name: 'Regantes', systemPrompt: 'Trata de usted.' },
    entity: { code: 'E1', name: 'Almazara', systemPrompt: 'Sé breve.' },
  };
  beforeEach(() => neighbours.answers.set(getPrompts.code, prompts));

  it('the context has instructions, identity, tools and limits', async () => {
    const context = await bed.send(getAgentContext, caller({ activeEntity: 'E1', effectiveArea: 'A1' }), {});
    expect(context).toMatchObject({ functionProfile: 'user_chat', schemaVersion: 1 });
    expect(context.systemPrompt).toMatch(/Trata de usted\.\n\nSé breve\.$/);
    expect(context.layers.map(({ name }) => name)).toEqual(['user_chat, version 1', 'Regantes', 'Almazara']);
    expect({ ...context.identity }).toEqual({
      ...{ userAlias: 'Ana', group: 'G1', entity: 'E1', area: 'A1', activeArea: null, effectiveArea: 'A1' },
      ...{ authorizedAreaRoot: null, areaFocusIsExplicit: false, profile: 'ADMINISTRADOR' },
    });
    expect({ ...context.limits }).toEqual({ maxIterations: 8, maxRetrievalCalls: 3, timeoutSeconds: 60 });
    expect(neighbours.sent).toMatchObject([{ scope: { kind: 'work', groupId: group }, input: { entityCode: 'E1' } }]);
  });

  it('a caller with several entities gets the prompt of the group', async () => {
    await bed.send(getAgentContext, caller({ entities: ['E1', 'E2'] }), {});
    expect(neighbours.sent.map(({ input }) => input)).toEqual([{}]);
  });

  it('the tools follow the role and the profile', async () => {
    const namesOf = async (scope: Scope, functionProfile: 'user_chat' | 'support_chat'): Promise<string[]> =>
      (await bed.send(getAgentContext, scope, { functionProfile })).tools.map(({ publicName }) => publicName);
    const [administrator, reader] = [await namesOf(caller(), 'user_chat'), await namesOf(caller(chats), 'user_chat')];
    expect(administrator).toEqual(expect.arrayContaining(['entities_create', 'list_documents', 'search_documents']));
    expect(reader).toContain('search_documents');
    expect(reader.filter((name) => /^(entities_create|list_documents|users_)/.test(name))).toEqual([]);
    expect(await namesOf(caller(), 'support_chat')).not.toContain('search_documents');
  });
});

describe('a tool with a fixed name', () => {
  const found = { documents: [], totalDocuments: 0, totalChunks: 0, durationMs: 1 };

  it('the tool sends its call under the scope of its caller', async () => {
    neighbours.answers.set(searchDocuments.code, found);
    const scope = caller(chats);
    expect(await call(scope, 'search_documents', { query: 'riego', limit: 3 })).toEqual({
      ...{ documents: [], total_documents: 0, total_chunks: 0, duration_ms: 1 },
    });
    expect(neighbours.sent).toMatchObject([{ scope, input: { query: 'riego', limit: 3, minSimilarity: 0 } }]);
  });

  it.each<[JsonObject, JsonObject]>([
    [{}, { missing_fields: ['query'] }],
    [{ query: 'riego', limit: 0 }, { invalid_fields: ['limit'] }],
    [{ query: 'riego', canary: 1, minSimilarity: 1 }, { unknown_field_count: 2 }],
  ])('the arguments %j are refused and nothing is sent', async (toolArguments, details) => {
    await expect(call(caller(), 'search_documents', toolArguments)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details,
    });
    expect(neighbours.sent).toEqual([]);
  });

  it('a refusal of the owner reaches the caller', async () => {
    neighbours.answers.set(getDocument.code, new NotFound());
    await expect(call(caller(), 'get_document', { document_code: 'D9' })).rejects.toThrow(NotFound);
  });

  it('a result above the limit is shortened and says so', async () => {
    const item = {
      ...{ code: 'D1', name: 'acta.md', status: 'VECTORIZADO', location: '/acta.md', locationCode: 'L1' },
      ...{
        entityCode: 'E1',
        url: 'https://acervo.test',
        updatedAt: '2026-01-02T03:04:05Z',
        summary: 'á'.repeat(2_000),
      },
      fs: {
        ...{ homeVar: null, relativePath: 'acta.md', path: '/acta.md', origin: 'CARPETA' },
        ...{ isAbsolute: false, isPublicUrl: false, isCloudOnly: false },
      },
    };
    const documents = Array.from({ length: 50 }, () => item);
    neighbours.answers.set(listDocuments.code, { documents, total: 50, page: 1, limit: 50 });
    const result = await call(caller(), 'list_documents', { limit: 50 });
    const left = (result['documents'] as readonly JsonObject[]).length;
    expect(result).toMatchObject({ total: 50, truncated: true, omitted: 50 - left });
    expect(left).toBeGreaterThan(10);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(64_000);
  });
});

describe('a tool that the caller lacks', () => {
  it('a withheld tool is not found before its arguments are read', async () => {
    for (const name of ['entities_create', 'get_document_edges', 'documents_get', 'nothing'])
      await expect(call(caller(chats), name, { canary: 1 })).rejects.toThrow(NotFound);
    expect(neighbours.sent).toEqual([]);
  });
});

describe('a tool of an operation', () => {
  it('the executor gets the arguments and the idempotency key', async () => {
    const executed = { code: createEntity.code, kind: 'write', executed: true, result: { code: 'E2' } };
    neighbours.answers.set(executeOperation.code, executed);
    const scope = caller();
    const input = { public_name: 'entities_create', arguments: { code: 'E2', name: 'Dos' } };
    const request = { code: callAgentTool.code, caller: 'gateway', scope, input, idempotencyKey: 'order-17' } as const;
    expect(await bed.server.dispatch(request)).toEqual({ result: { code: 'E2' } });
    expect(neighbours.sent).toEqual([
      {
        ...{ code: executeOperation.code, scope, options: { idempotencyKey: 'order-17' } },
        input: { code: createEntity.code, input: { code: 'E2', name: 'Dos' }, confirm: false },
      },
    ]);
  });

  it('a refused input keeps its details', async () => {
    const refusal = new InvalidInput({ missing: ['name'], invalid: [], unknown: 1 });
    neighbours.answers.set(executeOperation.code, refusal);
    await expect(call(caller(), 'entities_create')).rejects.toMatchObject({ details: refusal.details });
  });
});

describe('a tool that needs a confirmation', () => {
  const preview = { input: { document_code: 'D1' }, effect: { documents: 1 }, preview_token: 'token' };
  const operation = { code: deleteDocument.code, kind: 'write_confirm' } as const;
  const confirmed = { document_code: 'D1', confirm: true, preview_token: 'token' };
  const executions = (): JsonObject[] =>
    neighbours.sent.filter(({ code }) => code === executeOperation.code).map(({ input }) => input);
  const keysConfirm = (value: string): void => {
    neighbours.answers.set(readParameters.code, { values: [{ parameterCode: 'AGENT_CONFIRMS', value }] });
  };
  beforeEach(() => {
    neighbours.answers.set(executeOperation.code, { ...operation, executed: true, result: { code: 'D1' } });
  });

  it.each<[JsonObject]>([
    [{ document_code: 'D1' }],
    [{ document_code: 'D1', confirm: true }],
    [{ document_code: 'D1', preview_token: 'token' }],
    [{ document_code: 'D1', confirm: false, preview_token: 'token' }],
  ])('the arguments %j are previewed', async (toolArguments) => {
    const answer = { ...operation, executed: false, confirmRequired: true, preview };
    neighbours.answers.set(executeOperation.code, answer);
    const { confirmRequired, ...outcome } = answer;
    expect(await call(caller(key), 'documents_delete', toolArguments)).toEqual({
      ...outcome,
      confirm_required: confirmRequired,
    });
    expect(executions()).toEqual([{ code: deleteDocument.code, input: { document_code: 'D1' }, confirm: false }]);
  });

  it('a confirmation with the token of the preview is executed', async () => {
    keysConfirm('true');
    for (const credential of ['session', 'api_key'] as const)
      expect(await call(caller({ credential }), 'documents_delete', confirmed)).toMatchObject({ executed: true });
    const sent = { code: deleteDocument.code, input: { document_code: 'D1' }, confirm: true, previewToken: 'token' };
    expect(executions()).toEqual([sent, sent]);
  });

  it('without AGENT_CONFIRMS a key previews and a session confirms', async () => {
    keysConfirm('false');
    await expect(call(caller(key), 'documents_delete', confirmed)).rejects.toThrow(Forbidden);
    expect(executions()).toEqual([]);
    expect(neighbours.sent).toMatchObject([{ scope: { kind: 'work', groupId: group } }]);
    await call(caller(key), 'documents_delete', { document_code: 'D1' });
    await call(caller(), 'documents_delete', confirmed);
    expect(executions().map(({ confirm }) => confirm)).toEqual([false, true]);
  });

  it.each<[JsonObject, string]>([
    [{ confirm: 'true' }, 'confirm'],
    [{ confirm: true, preview_token: 7 }, 'preview_token'],
    [{ confirm: true, preview_token: '' }, 'preview_token'],
  ])('the confirmation %j is refused', async (toolArguments, field) => {
    await expect(call(caller(), 'documents_delete', { document_code: 'D1', ...toolArguments })).rejects.toMatchObject({
      details: { invalid_fields: [field] },
    });
    expect(executions()).toEqual([]);
  });
});
