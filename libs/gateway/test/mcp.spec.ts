import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AgentContext, callAgentTool, getAgentContext, NotFound, QuotaExceeded, ToolResult } from '@acervo/contracts';
import type { HttpApp } from '@acervo/platform-http';
import { McpController } from '../src/mcp/mcp.controller';
import { McpServers } from '../src/mcp/mcp-servers';
import { gatewayOf, StubCalls } from './support';

const calls = new StubCalls();
let gateway: HttpApp;
let server: Server;
let url: URL;
beforeAll(async () => {
  gateway = await gatewayOf([McpController], calls, [McpServers]);
  server = createServer(gateway.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await gateway.close();
});

const schema = { description: 'Find passages.', type: 'object', properties: { query: { type: 'string' } } };
const listed = [
  { operation: 'documents.search', publicName: 'search_documents', inputSchema: schema, readOnly: true },
  { operation: 'documents.delete', publicName: 'documents_delete', inputSchema: schema, readOnly: false },
];
beforeEach(() => {
  calls.sent.length = 0;
  calls.answers.clear();
  calls.answers.set(getAgentContext.code, Object.assign(new AgentContext(), { tools: listed }));
});

const answers = (result: object): void =>
  void calls.answers.set(callAgentTool.code, Object.assign(new ToolResult(), { result }));

/** A client of the protocol, as its own package is. */
const connected = async (mode: 'auto' | 'legacy', bearer = 'chats', headers: Record<string, string> = {}) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${bearer}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
};

describe.each(['auto', 'legacy'] as const)('a client that connects in the mode %s', (mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await connected(mode);
  });
  afterAll(() => client.close());

  it('the tools are those of the agent context, with true hints', async () => {
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      { name: 'search_documents', annotations: { readOnlyHint: true, destructiveHint: false } },
      { name: 'documents_delete', annotations: { readOnlyHint: false, destructiveHint: true } },
    ]);
    expect(tools[0]).toMatchObject({ description: 'Find passages.', inputSchema: { type: 'object' } });
  });

  it('a tool answers its result as a structure and as text', async () => {
    answers({ documents: [], total_documents: 0 });
    const result = await client.callTool({ name: 'search_documents', arguments: { query: 'riego' } });
    expect(result.structuredContent).toEqual({ documents: [], total_documents: 0 });
    expect(result.isError).toBeFalsy();
    expect(calls.sent.at(-1)).toMatchObject({
      code: callAgentTool.code,
      request: { publicName: 'search_documents', arguments: { query: 'riego' } },
    });
    expect(calls.sent.at(-1)?.scope.userCode).toBe('ana');
  });

  it('a tool gets the idempotency key of its call', async () => {
    answers({ code: 'E2' });
    const keyed = (key: string) =>
      client.callTool({ name: 'documents_delete', arguments: {}, _meta: { 'acervo/idempotency-key': key } });
    await keyed('order-17');
    expect(calls.sent.at(-1)?.options).toEqual({ idempotencyKey: 'order-17' });
    expect((await keyed('two words')).structuredContent).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('a refused tool names the code and the request', async () => {
    calls.answers.set(callAgentTool.code, new QuotaExceeded());
    const result = await client.callTool({ name: 'search_documents', arguments: {} });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'QUOTA_EXCEEDED' } });
    expect(result.structuredContent).toHaveProperty('request_id');
  });

  it('a tool that is not listed is unknown by name', async () => {
    calls.answers.set(callAgentTool.code, new NotFound());
    await expect(client.callTool({ name: 'users_list', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    const unseen = await client.callTool({ name: 'search_documents', arguments: {} });
    expect(unseen.structuredContent).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a document is a resource with its detail', async () => {
    answers({ code: 'D 1', summary: 'Un acta.' });
    const { contents } = await client.readResource({ uri: 'acervo://documents/D%201' });
    const [content] = contents;
    expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toMatchObject({
      document: { code: 'D 1', summary: 'Un acta.' },
    });
    expect(calls.sent[0]?.request).toEqual({ publicName: 'get_document', arguments: { document_code: 'D 1' } });
  });

  it('an unseen document is no resource', async () => {
    calls.answers.set(callAgentTool.code, new NotFound());
    await expect(client.readResource({ uri: 'acervo://documents/D9' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('documents are listed page by page', async () => {
    answers({ documents: [{ code: 'D1', name: 'acta.md', summary: 'Un acta.' }], total: 60 });
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ uri: 'acervo://documents/D1', name: 'acta.md', description: 'Un acta.' });
    // The client follows the cursors: 60 documents are three pages of 25.
    expect(calls.sent.map(({ request }) => request)).toEqual(
      [1, 2, 3].map((page) => ({ publicName: 'list_documents', arguments: { page, limit: 25 } })),
    );
    await expect(client.listResources({ cursor: '1 or 2' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('a prompt needs its arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['search-with-citations', 'compare-documents', 'space-digest']);
    const prompt = await client.getPrompt({ name: 'search-with-citations', arguments: { question: '¿Qué turno?' } });
    expect(prompt.messages[0]?.content).toMatchObject({ text: expect.stringContaining('¿Qué turno?') as string });
    await expect(client.getPrompt({ name: 'space-digest', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('a request of the protocol', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (bearer?: string): request.Test => {
    const sent = request(gateway.handler).post('/mcp').set('Accept', 'application/json, text/event-stream');
    return bearer === undefined ? sent : sent.set('Authorization', `Bearer ${bearer}`);
  };

  it('a request without a credential learns where to find one', async () => {
    const { headers, body } = await post().send(ping).expect(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer resource_metadata="http.+oauth-protected-resource\/mcp"$/);
    expect(body).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('a caller without a screen that searches is refused', async () => {
    await post('without-screens').send(ping).expect(403);
    expect(calls.sent).toEqual([]);
  });

  it('an API key reaches the protocol', async () => {
    await post('key').send(ping).expect(200);
  });

  it.each(['https://evil.test', 'null'])('a page of %s is refused', async (origin) => {
    await post('chats').set('Origin', origin).send(ping).expect(403);
  });

  it('a page of this product reaches the protocol', async () => {
    await post('chats').set('Origin', 'http://localhost:8080').set('Host', 'localhost:8080').send(ping).expect(200);
    await post('chats').set('Origin', 'http://localhost:8080').set('Host', 'evil.test').send(ping).expect(403);
  });

  it('streams and sessions of clients are not offered', async () => {
    const bearer = 'Bearer chats';
    await request(gateway.handler).get('/mcp').set('Authorization', bearer).expect(405);
    await request(gateway.handler).delete('/mcp').set('Authorization', bearer).expect(405);
  });

  it.each(['{', '[]', '{"jsonrpc":"2.0"}'])('the body %s is refused', async (body) => {
    const { status } = await post('chats').set('Content-Type', 'application/json').send(body);
    expect(status).toBe(400);
    expect(calls.sent).toEqual([]);
  });
});
