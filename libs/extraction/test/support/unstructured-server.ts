import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A request to the server. */
export interface Asked {
  readonly fileName: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly key: string | undefined;
  readonly bytes: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly delayMs?: number;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

const askedOf = async (request: IncomingMessage): Promise<Asked> => {
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(await bodyOf(request)), {
    headers: { 'content-type': type },
  }).formData();
  const fields = new Map<string, string>();
  for (const [name, value] of form.entries()) if (typeof value === 'string') fields.set(name, value);
  const file = form.get('files');
  if (file === null || typeof file === 'string') throw new Error('No file was sent.');
  const bytes = Buffer.from(await file.arrayBuffer());
  return { fileName: file.name, fields, bytes, key: request.headers['unstructured-api-key'] as string | undefined };
};

/** A server that speaks the API of Unstructured over HTTP and answers as a test defines. */
export class UnstructuredServer {
  readonly asked: Asked[] = [];
  reply: (asked: Asked, count: number) => Reply = () => ({ body: [] });
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<UnstructuredServer> {
    const started = new UnstructuredServer();
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/general/v0/general') return void response.writeHead(404).end();
    const asked = await askedOf(request);
    this.asked.push(asked);
    const { status = 200, headers = {}, body = { detail: 'No.' }, delayMs = 0 } = this.reply(asked, this.asked.length);
    await pause(delayMs, undefined, { ref: false });
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }
}
