import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the service received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One answer of the service: status, body and headers, or a cut connection. */
export type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | 'cut';

/** A small service that answers what a test queues, and remembers what it received. */
export class Service {
  readonly received: Received[] = [];
  replies: Reply[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<Service> {
    const service = new Service();
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    this.received.push({ method, url, headers, body: Buffer.concat(parts).toString() });
    const reply = this.replies.shift() ?? {};
    if (reply === 'cut') return void request.socket.destroy();
    const { status = 200, body = {}, headers: more = {} } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** An error as the service writes it. */
export const failure = (code: string, details: object = {}): object => ({
  ...{ code, message: `Sentence of ${code}.`, details },
  request_id: 'r-1',
});
