import { allCalls } from '@acervo/contracts';
import type { Credentials } from './credentials';
import type { Installation } from './installation';
import type { Operation, Received } from './operations';
import { assembled, type Slot, slotsOf } from './shapes';

interface Listed {
  readonly operation: string;
  readonly public_name: string;
  readonly read_only: boolean;
}

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly structuredContent: { readonly code?: string } };
  readonly error?: { readonly code: number; readonly message: string };
}

type Shown = Slot & { readonly publicPath: NonNullable<Slot['publicPath']> };
const isShown = (slot: Slot): slot is Shown => slot.publicPath !== undefined;

const send = async (installation: Installation, path: string, token: string, body?: object): Promise<Response> =>
  fetch(`http://127.0.0.1:${installation.port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...{ 'x-request-id': 'isolation', authorization: `Bearer ${token}` },
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** How long a search took, in the structure of a result and in its text, where quotes are escaped. */
const DURATION = /(duration_ms\\?":)[\d.]+/g;

/** The JSON of an answer, which clients of 2025 get as the one event of a stream. */
const replyOf = (text: string): Reply => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Reply;

const receivedFrom = (text: string, sent: string): Received => {
  const { result, error } = replyOf(text);
  const compared = JSON.stringify(result ?? error).replace(DURATION, '$1');
  if (result === undefined) return { succeeded: false, status: `error ${error?.code}`, compared, sent };
  const succeeded = result.isError !== true;
  return { succeeded, status: succeeded ? 'answered' : String(result.structuredContent.code), compared, sent };
};

const toolOperation = (installation: Installation, { operation, public_name: name }: Listed): Operation => {
  const call = allCalls().find(({ code }) => code === operation);
  if (call === undefined) throw new Error(`No call stands behind the tool ${name}.`);
  return {
    kind: 'tool',
    name: `tool ${call.code}`,
    writes: false,
    writesTo: call.owner,
    by: 'administrator',
    slots: slotsOf(call.input)
      .filter(isShown)
      .map((slot) => ({ ...slot, path: slot.publicPath, place: 'input' })),
    doors: ['key'],
    ask: async (values, door, credentials) => {
      const given = assembled([...values].map(([{ path }, value]) => [path, value]));
      const params = { name, arguments: given };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const answer = await send(installation, '/mcp', await credentials[door](), body);
      return receivedFrom(await answer.text(), JSON.stringify(given));
    },
  };
};

/** The tools that read, as an administrator's key has them over the Model Context Protocol. */
export const toolsOf = async (installation: Installation, credentials: Credentials): Promise<Operation[]> => {
  const answer = await send(installation, '/v1/agent/context', await credentials.key());
  const { tools } = (await answer.json()) as { readonly tools: readonly Listed[] };
  return tools.filter(({ read_only }) => read_only).map((tool) => toolOperation(installation, tool));
};
