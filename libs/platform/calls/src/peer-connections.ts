import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';
import { IDLE_MS, withLimitedLife } from './socket-life';

export interface PeerTls {
  /** File with the authorities that sign the certificates of the services, as PEM; those of Node when absent. */
  readonly ca?: string | null;
}

const aborted = (): Error =>
  Object.assign(new Error('The request ended before it got a connection.'), { code: 'ABORT_ERR' });

/** Connections to one service at a time. */
const MOST_SOCKETS = 64;

/** Kept connections to the internal ports of the other services, over HTTP or over TLS, as their addresses say. */
export class PeerConnections {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  constructor({ ca = null }: PeerTls = {}) {
    const options = { keepAlive: true, maxSockets: MOST_SOCKETS, keepAliveMsecs: 5_000, timeout: IDLE_MS } as const;
    this.http = withLimitedLife(new HttpAgent(options));
    this.https = withLimitedLife(new HttpsAgent({ ...options, ...(ca === null ? {} : { ca: readFileSync(ca) }) }));
  }

  request(url: string, options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const sent = url.startsWith('https:')
      ? requestTls(url, { ...options, agent: this.https }, onAnswer)
      : request(url, { ...options, agent: this.http }, onAnswer);
    // Node reports the end of a request that waits for a connection only once it gets one.
    const endWaiting = (): void => {
      if (sent.socket === null) sent.emit('error', aborted());
    };
    options.signal?.addEventListener('abort', endWaiting, { once: true });
    // A signal of a deadline keeps its listeners, and this one the request, until the time is over.
    sent.once('socket', () => options.signal?.removeEventListener('abort', endWaiting));
    return sent;
  }

  /** The JSON at an address. @throws for an answer other than 200, or none in time */
  getJson(url: string, timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sent = this.request(url, { signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
        text(answer)
          .then((body) => {
            if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`);
            resolve(JSON.parse(body));
          })
          .catch(reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}
