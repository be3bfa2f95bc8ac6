import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of the OpenAI chat API, as the server received it. */
export interface ReceivedChat {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string;
      readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly response_format?: { readonly json_schema: { readonly name: string; readonly schema: object } };
  };
}

/** One scripted answer. Parts of a text are the pieces of a streamed answer. */
export type ChatScript =
  | { readonly kind: 'text'; readonly parts: readonly string[]; readonly finish?: 'stop' | 'length' | 'content_filter' }
  | { readonly kind: 'tools'; readonly calls: readonly { readonly name: string; readonly input: string }[] }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** A body that is sent as it stands, with status 200. */
  | { readonly kind: 'raw'; readonly body: string; readonly contentType?: string }
  /** The text, cut off after so many bytes by the end of the connection. */
  | { readonly kind: 'cut'; readonly parts: readonly string[]; readonly bytes: number }
  /** The text, of which each part, and then the end, waits for what a test prepares: `before(parts.length)` is the end. */
  | {
      readonly kind: 'paced';
      readonly parts: readonly string[];
      readonly before: (part: number) => Promise<void> | void;
    }
  /** No byte of an answer until the client leaves or the server closes. */
  | { readonly kind: 'stall' };

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

const callsOf = (calls: readonly { readonly name: string; readonly input: string }[]): object[] =>
  calls.map(({ name, input }, index) => ({
    ...{ index, id: `call-${index}`, type: 'function' },
    function: { name, arguments: input },
  }));

const frame = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices, ...more })}\n\n`;

const chunk = (delta: object, finish: string | null = null): string =>
  frame([{ index: 0, delta, finish_reason: finish }]);

const END = frame([], { usage: USAGE }) + 'data: [DONE]\n\n';

const streamOf = (script: ChatScript & { readonly kind: 'text' | 'tools' | 'cut' }): string => {
  if (script.kind === 'tools') return chunk({ tool_calls: callsOf(script.calls) }) + chunk({}, 'tool_calls') + END;
  const finish = script.kind === 'text' ? (script.finish ?? 'stop') : 'stop';
  return script.parts.map((content) => chunk({ content })).join('') + chunk({}, finish) + END;
};

const wholeOf = (script: ChatScript & { readonly kind: 'text' | 'tools' | 'cut' | 'paced' }): string => {
  const message =
    script.kind === 'tools'
      ? { role: 'assistant', content: null, tool_calls: callsOf(script.calls) }
      : { role: 'assistant', content: script.parts.join('') };
  const finish = script.kind === 'tools' ? 'tool_calls' : ((script.kind === 'text' ? script.finish : null) ?? 'stop');
  const choices = [{ index: 0, message, finish_reason: finish }];
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'scripted', choices, usage: USAGE });
};

/** A server of the OpenAI chat API with scripted answers. */
export class ChatServer {
  readonly received: ReceivedChat[] = [];
  /** Answers that are used once each, before `answer`. */
  readonly scripts: ChatScript[] = [];
  /** Requests that the server works on, and the most so far. */
  busy = 0;
  mostBusy = 0;
  /** Requests whose client left before the end of the answer. */
  left = 0;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  /** @param answer what the server answers when no script is left */
  constructor(
    public answer: (received: ReceivedChat) => ChatScript | Promise<ChatScript> = () => ({
      kind: 'text',
      parts: ['Scripted.'],
    }),
  ) {}

  /** Starts the server; returns the base of its API. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostBusy = Math.max(this.mostBusy, (this.busy += 1));
    response.once('close', () => {
      this.busy -= 1;
      if (!response.writableFinished) this.left += 1;
    });
    const body = JSON.parse(await bodyOf(request)) as ReceivedChat['body'];
    const received = { authorization: request.headers.authorization, body };
    this.received.push(received);
    const script = this.scripts.shift() ?? (await this.answer(received));
    if (script.kind === 'paced' && body.stream === true) await this.pace(response, script);
    else this.send(response, script, body.stream === true);
  }

  private async pace(
    response: ServerResponse,
    { parts, before }: ChatScript & { readonly kind: 'paced' },
  ): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    for (const [place, content] of parts.entries()) {
      await before(place);
      response.write(chunk({ content }));
    }
    await before(parts.length);
    response.end(chunk({}, 'stop') + END);
  }

  private send(response: ServerResponse, script: ChatScript, isStream: boolean): void {
    if (script.kind === 'stall') return;
    if (script.kind === 'status') {
      response.writeHead(script.status, { 'content-type': 'application/json', ...script.headers });
      response.end(JSON.stringify({ error: { message: 'scripted', type: 'scripted' } }));
      return;
    }
    const contentType = isStream ? 'text/event-stream' : 'application/json';
    if (script.kind === 'raw') {
      response.writeHead(200, { 'content-type': script.contentType ?? contentType }).end(script.body);
      return;
    }
    const text = Buffer.from(isStream && script.kind !== 'paced' ? streamOf(script) : wholeOf(script), 'utf8');
    response.writeHead(200, { 'content-type': contentType });
    if (script.kind === 'cut')
      response.write(text.subarray(0, script.bytes), () => setImmediate(() => response.socket?.destroy()));
    else response.end(text);
  }
}
