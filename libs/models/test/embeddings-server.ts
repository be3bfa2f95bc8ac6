import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HashingEmbedder } from '../src';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly input: readonly string[];
    readonly input_type?: string;
    readonly encoding_format: string;
  };
}

type Answer = (response: ServerResponse, asked: Asked) => Promise<void> | void;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

export const json = (response: ServerResponse, status: number, body: unknown, headers: object = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** A server of the OpenAI embeddings API over the built-in embedder, with scripted failures. */
export class EmbeddingsServer {
  readonly asked: Asked[] = [];
  /** The `Connection` header of each request. */
  readonly connections: (string | undefined)[] = [];
  /** Replacement answers, used once each. */
  readonly instead: Answer[] = [];
  busy = 0;
  mostBusy = 0;
  private readonly embedder = new HashingEmbedder();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The default answer of the server: the last text first, so that only the index identifies a text. */
  async embeddings({ body }: Asked): Promise<object> {
    const vectors = await this.embedder.embed(body.input);
    const data = vectors.map((vector, index) => ({
      index,
      embedding:
        body.encoding_format === 'base64'
          ? Buffer.from(vector.map((value) => value * 3).buffer).toString('base64')
          : [...vector].map((value) => value * 3),
    }));
    return { data: data.toReversed() };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    this.connections.push(request.headers.connection);
    const asked: Asked = {
      ...{ path: request.url ?? '', authorization },
      body: JSON.parse(await bodyOf(request)) as Asked['body'],
    };
    this.asked.push(asked);
    this.mostBusy = Math.max(this.mostBusy, (this.busy += 1));
    const instead = this.instead.shift();
    if (instead !== undefined) await instead(response, asked);
    else json(response, 200, await this.embeddings(asked));
    this.busy -= 1;
  }
}
