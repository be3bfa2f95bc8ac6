import { join } from 'node:path';
import { Client, ProtocolError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { allOperations } from '@acervo/contracts';
import { environmentIn } from './packed';
import type { Step } from './scenarios';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a tool is called with, and what its answer is beside that of the route that it stands for. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The answer of the route that equals that of the tool. */
  readonly partOf: (body: JsonObject) => unknown;
}

const whole = (body: JsonObject): unknown => body;

/** The route adds what skills found over the space, which another service keeps. */
const withoutResults = ({ skill_results: _, ...body }: JsonObject): unknown => body;

/** The tool of a step: that of its operation, or that of its route. */
export const toolOf = ({ id, input = {} }: Pick<Step, 'id' | 'input'>): ToolCall => {
  if (id !== 'executeOperation') {
    const name = id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { name, arguments: input, partOf: id === 'getSpace' ? withoutResults : whole };
  }
  const {
    code,
    input: given,
    confirm,
    preview_token,
  } = input as { readonly code: string; readonly input: JsonObject } & JsonObject;
  const isConfirmed = allOperations().some((each) => each.code === code && each.kind === 'write_confirm');
  const confirmation =
    confirm === undefined ? {} : { confirm, ...(preview_token === undefined ? {} : { preview_token }) };
  return {
    name: code.replaceAll('.', '_'),
    arguments: { ...given, ...confirmation },
    partOf: isConfirmed ? whole : ({ result }) => result,
  };
};

const UNKNOWN_TOOL = -32_602;

/** An outcome as every surface has it. */
interface Outcome {
  readonly body?: unknown;
  readonly code?: string;
  readonly details?: unknown;
}

const refusal = (body: unknown): Outcome => {
  const { code, details } = body as { readonly code: string; readonly details?: unknown };
  return { code, details };
};

/** The installed terminal program as a server of the protocol, started once for each key. */
export class McpPrograms {
  private readonly clients = new Map<string, Client>();

  constructor(
    private readonly project: string,
    private readonly url: string,
  ) {}

  /** @throws what the protocol throws; an unknown tool and a refusal are outcomes */
  async call(key: string, { name, arguments: given }: ToolCall, idempotencyKey?: string): Promise<Outcome> {
    try {
      const client = await this.clientOf(key);
      const meta = idempotencyKey === undefined ? {} : { _meta: { 'acervo/idempotency-key': idempotencyKey } };
      const send = (sent: JsonObject) => client.callTool({ name, arguments: sent, ...meta });
      const { structuredContent, isError } = await send(await this.confirmed(given, send));
      return isError === true ? refusal(structuredContent) : { body: structuredContent };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return error.code === UNKNOWN_TOOL ? { code: 'NOT_FOUND', details: {} } : refusal(error.data);
    }
  }

  /** The names of the tools of a key. */
  async toolNames(key: string): Promise<readonly string[]> {
    const { tools } = await (await this.clientOf(key)).listTools();
    return tools.map(({ name }) => name);
  }

  async stop(): Promise<void> {
    for (const client of this.clients.values()) await client.close();
  }

  /** Arguments that confirm, with the token of the preview that an agent shows before. */
  private async confirmed(
    given: JsonObject,
    send: (sent: JsonObject) => Promise<{ readonly structuredContent?: unknown }>,
  ): Promise<JsonObject> {
    if (given['confirm'] !== true || given['preview_token'] !== undefined) return given;
    const { structuredContent } = await send({ ...given, confirm: false });
    const { preview } = structuredContent as { readonly preview?: JsonObject };
    return { ...given, preview_token: preview?.['preview_token'] };
  }

  private async clientOf(key: string): Promise<Client> {
    const known = this.clients.get(key);
    if (known !== undefined) return known;
    const client = new Client({ name: 'suite', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const main = join(this.project, 'node_modules', 'acervo', 'dist', 'acervo.cjs');
    const env = environmentIn(this.project, { ACERVO_KEY: key, ACERVO_URL: this.url });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env: { ...env } }));
    this.clients.set(key, client);
    return client;
  }
}
