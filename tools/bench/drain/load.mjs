// Requests to every service through the gateway at a constant rate, over kept connections. Writes are among them.
import { Agent, request } from 'node:http';

/** Requests are sent once: a client that repeats them would hide a failure. */
const ANSWERS_WITHIN_MS = 30_000;
const CONNECTIONS = 16;

/** One of ten: what it asks, by the service that answers behind the gateway. */
const MIX = [
  ...Array.from({ length: 4 }, () => ['GET', '/v1/session']),
  ...Array.from({ length: 2 }, () => ['GET', '/v1/locations']),
  ...Array.from({ length: 2 }, () => ['POST', '/v1/operations/parameter_types.list:execute', { input: {} }]),
  ['POST', '/v1/documents/search', { query: 'documento', limit: 1 }],
  ['POST', '/v1/operations/groups.update:execute', { input: { name: 'Acervo' } }],
];

/** Starts the load; `send` asks beside it. */
export const startLoad = ({ port, key, rate }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const [failures, times, open] = [[], [], new Set()];
  const started = performance.now();
  let [count, broken] = [0, 0];
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const bytes = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
      };
      const options = { host: '127.0.0.1', port, method, path, agent, headers };
      const sent = request({ ...options, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: answer.statusCode, text, body: text.startsWith('{') ? JSON.parse(text) : undefined });
        });
      });
      sent.on('error', reject);
      sent.end(bytes);
    });
  const one = async () => {
    const [method, path, body] = MIX[(count += 1) % MIX.length];
    const begun = performance.now();
    try {
      const { status, text } = await send(method, path, body);
      times.push(performance.now() - begun);
      if (status !== 200) failures.push(`${method} ${path} answered ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      broken += error.name === 'AbortError' || error.name === 'TimeoutError' ? 0 : 1;
      failures.push(`${method} ${path}: ${error.code ?? ''} ${error.message}`);
    }
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1_000) * rate;
    // A machine that is late does not collect a burst.
    for (let sent = 0; count < due && open.size < 4 * CONNECTIONS && sent < rate; sent += 1) {
      const asked = one().finally(() => open.delete(asked));
      open.add(asked);
    }
  }, 10);
  return {
    ...{ send, failures, times },
    get answered() {
      return times.length;
    },
    counted: () => ({
      answered: times.length,
      failed: failures.length,
      broken,
      perSecond: times.length / ((performance.now() - started) / 1_000),
    }),
    end: async () => {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
    },
  };
};
