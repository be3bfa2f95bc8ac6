import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  type GetPromptResult,
  McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { McpServers } from '../../src/mcp/mcp-servers';

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const STEP_MS = 20;

type Fixture = (ctx: ServerContext, given: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;

const content =
  (...parts: CallToolResult['content']): Fixture =>
  () =>
    Promise.resolve({ content: parts });
const text = (value: string): CallToolResult['content'][number] => ({ type: 'text', text: value });
const image: CallToolResult['content'][number] = { type: 'image', data: IMAGE, mimeType: 'image/png' };
const resource = (uri: string, value: string, mimeType = 'text/plain'): CallToolResult['content'][number] => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const progresses: Fixture = async ({ mcpReq: { _meta, notify } }) => {
  const progressToken = _meta?.progressToken ?? 0;
  for (const progress of [0, 50, 100]) {
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    await pause(STEP_MS);
  }
  return { content: [text(String(progressToken))] };
};

/** What the suite of the protocol calls: names and results are its own. */
const fixtures: Readonly<Record<string, Fixture>> = {
  test_simple_text: content(text('This is a simple text response for testing.')),
  test_image_content: content(image),
  test_audio_content: content({ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }),
  test_embedded_resource: content(resource('test://embedded-resource', 'This is an embedded resource content.')),
  test_multiple_content_types: content(
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
  ),
  test_error_handling: () =>
    Promise.resolve({ content: [text('This tool intentionally returns an error for testing')], isError: true }),
  test_tool_with_progress: progresses,
  test_streaming_elicitation: progresses,
  test_logging_tool: content(text('Nothing was logged.')),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
};

/** A schema with the words of JSON Schema 2020-12, which a server has to hand on as they are. */
const SCHEMA: Tool['inputSchema'] = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'address',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const tools: Tool[] = [
  ...Object.keys(fixtures).map((name): Tool => ({ name, description: name, inputSchema: { type: 'object' } })),
  { name: 'json_schema_2020_12_tool', description: 'A schema of 2020-12', inputSchema: SCHEMA },
];

const message = (value: GetPromptResult['messages'][number]['content']): GetPromptResult => ({
  messages: [{ role: 'user', content: value }],
});

type Given = Readonly<Record<string, string>>;
const prompts: Readonly<Record<string, (given: Given) => GetPromptResult>> = {
  test_simple_prompt: () => message({ type: 'text', text: 'This is a simple prompt for testing.' }),
  test_prompt_with_arguments: ({ arg1 = '', arg2 = '' }) =>
    message({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  }),
  test_prompt_with_image: () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: IMAGE, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  }),
};

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const read = (uri: string) => {
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: IMAGE }] };
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const value = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text: value }] };
};

/** The product's way of answering the protocol, with the tools, resources and prompts that its suite asks for. */
export class FixtureServers extends McpServers {
  protected override serverFor(): McpServer {
    const unchanging = { listChanged: false };
    const capabilities = { tools: unchanging, resources: unchanging, prompts: unchanging, completions: {} };
    const mcp = new McpServer({ name: 'fixture', version: '1' }, { capabilities });
    const { server } = mcp;
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, ctx) => {
      const called = Object.hasOwn(fixtures, name) ? fixtures[name] : undefined;
      if (called === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No tool has this name.');
      return called(ctx, given);
    });
    server.setRequestHandler('prompts/list', () => ({
      prompts: Object.keys(prompts).map((name) => ({
        name,
        description: name,
        arguments: (ARGUMENTS[name] ?? []).map((each) => ({ name: each, required: true })),
      })),
    }));
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
      const found = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
      if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No prompt has this name.');
      return found(given);
    });
    server.setRequestHandler('resources/list', () => ({
      resources: ['test://static-text', 'test://static-binary'].map((uri) => ({ uri, name: uri })),
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => read(uri));
    server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
    return mcp;
  }
}
