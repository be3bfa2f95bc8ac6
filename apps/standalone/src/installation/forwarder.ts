import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as httpRequest,
  type RequestListener,
} from 'node:http';
import { pipeline } from 'node:stream';
import { sendStatus } from '@acervo/platform-http';

// The listener bounds the connections of clients, and each has one request at a time: a stream keeps others from none.
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 128 });

/** The headers of a request, with the address that it came from behind those of proxies before. */
const forwarded = ({ headers, socket }: IncomingMessage): OutgoingHttpHeaders => {
  const before = headers['x-forwarded-for'];
  const addresses = [...(before === undefined ? [] : [before]), socket.remoteAddress ?? 'unknown'];
  return { ...headers, 'x-forwarded-for': addresses.join(', ') };
};

/** Forwards requests to local ports, round robin, and streams the responses unchanged. */
export const forward = (ports: readonly number[]): RequestListener => {
  let turn = 0;
  return (request, response) => {
    const { method, url } = request;
    const port = ports[(turn += 1) % ports.length];
    const options = { host: '127.0.0.1', port, method, path: url, headers: forwarded(request), agent };
    const onward = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // An answer that breaks off breaks off for the client too, who would wait for its rest.
      pipeline(answer, response, () => undefined);
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else sendStatus(response, 503, url?.split('?', 1)[0], { 'retry-after': '1' });
    });
    // A client that is gone no longer reads; the rest of the answer would hold the connection to the process for good.
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  };
};
