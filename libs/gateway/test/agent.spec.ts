import request from 'supertest';
import { AgentContext, callAgentTool, getAgentContext, ToolResult } from '@acervo/contracts';
import type { HttpApp } from '@acervo/platform-http';
import { AgentController } from '../src/agent/agent.controller';
import { callsTool, showsContext } from '../src/agent/agent.descriptions';
import { gatewayOf, StubCalls } from './support';

const calls = new StubCalls();
let gateway: HttpApp;
beforeAll(async () => {
  gateway = await gatewayOf([AgentController], calls);
});
afterAll(() => gateway.close());
beforeEach(() => {
  calls.sent.length = 0;
  calls.answers.clear();
});

const context = (query = '', bearer = 'chats'): request.Test =>
  request(gateway.handler).get(`/v1/agent/context${query}`).set('Authorization', `Bearer ${bearer}`);
const tool = (body: object, bearer = 'chats'): request.Test =>
  request(gateway.handler).post('/v1/agent/tools/get_usage').set('Authorization', `Bearer ${bearer}`).send(body);

describe('the agent routes of /v1', () => {
  it('the context has its published names', async () => {
    const answer: AgentContext = {
      ...{ functionProfile: 'support_chat', systemPrompt: 'x', systemPromptHash: '0'.repeat(64), schemaVersion: 1 },
      layers: [{ code: 'PRODUCT', name: 'x', sha256: '0'.repeat(64) }],
      identity: {
        ...{ userAlias: 'Ana', group: 'G1', entity: null, area: null, activeArea: null, effectiveArea: null },
        ...{ authorizedAreaRoot: null, areaFocusIsExplicit: false, profile: 'ADMINISTRADOR' },
      },
      tools: [{ operation: 'usage.get', publicName: 'get_usage', inputSchema: { type: 'object' }, readOnly: true }],
      limits: { maxIterations: 8, maxRetrievalCalls: 6, timeoutSeconds: 60 },
    };
    calls.answers.set(getAgentContext.code, Object.assign(new AgentContext(), answer));
    const { body } = (await context('?function_profile=support_chat').expect(200)) as { body: AgentContext };
    const example = showsContext.example.answer as AgentContext;
    const namesIn = (of: object): string[] => Object.keys(of).toSorted();
    expect(namesIn(body)).toEqual(namesIn(example));
    for (const part of ['identity', 'limits'] as const) expect(namesIn(body[part])).toEqual(namesIn(example[part]));
    expect(body.identity).toMatchObject({ user_alias: 'Ana', profile: 'ADMINISTRATOR' });
    expect(calls.sent[0]?.request).toEqual({ functionProfile: 'support_chat' });
  });

  it('a tool answers its own result, unchanged', async () => {
    const result = { constructor: 'x', list: [{ internal_name: null }], truncated: true, omitted: 1 };
    calls.answers.set(callAgentTool.code, Object.assign(new ToolResult(), { result }));
    expect((await tool({ arguments: { a: 1 } }).expect(200)).body).toEqual(result);
    expect(calls.sent[0]?.request).toEqual({ publicName: 'get_usage', arguments: { a: 1 } });
  });

  it('a tool gets the idempotency key of its request', async () => {
    await tool({ arguments: {} }).set('Idempotency-Key', 'order-17').expect(404);
    expect(calls.sent[0]?.options).toEqual({ idempotencyKey: 'order-17' });
  });

  it.each<[object]>([
    [{}],
    [{ arguments: [] }],
    [{ arguments: null }],
    [{ arguments: {}, function_profile: 'admin_chat' }],
    [{ arguments: {}, canary: 1 }],
  ])('the body %j answers 422 and sends nothing', async (body) => {
    await tool(body).expect(422);
    expect(calls.sent).toEqual([]);
  });

  it('an unknown profile of the context answers 422', async () => {
    await context('?function_profile=admin_chat').expect(422);
    expect(calls.sent).toEqual([]);
  });

  it('both routes need a screen that searches', async () => {
    await context('', 'without-screens').expect(403);
    await tool({ arguments: {} }, 'without-screens').expect(403);
    await context('', 'key').expect(404);
    expect(calls.sent.map(({ code }) => code)).toEqual([getAgentContext.code]);
  });

  it('the example of a tool is a request that is sent', async () => {
    await tool(callsTool.example.request ?? {}).expect(404);
    expect(calls.sent).toHaveLength(1);
  });
});
