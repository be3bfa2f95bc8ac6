// Sends searches of one group from a process of its own, and reports statuses, times and what left the envelope.
import { Agent, request } from 'node:http';

const ENVELOPE = ['code', 'details', 'message', 'request_id'];
const REFUSALS = new Map([
  [429, 'RATE_LIMITED'],
  [503, 'INTERNAL_ERROR'],
]);
/** Requests without an answer beyond which a client waits before it sends another one. */
const MOST_OPEN = 2_000;
const ANSWERS_WITHIN_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** One search: its status, or 0 when the connection failed. */
const search = ({ port, key, addresses, words }, index) =>
  new Promise((resolve) => {
    const body = JSON.stringify({ query: words[index % words.length], limit: 10 });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': addresses[index % addresses.length],
    };
    const options = { port, host: '127.0.0.1', method: 'POST', path: '/v1/documents/search', headers, agent };
    const sent = request({ ...options, timeout: ANSWERS_WITHIN_MS }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(parts).toString() }),
      );
      answer.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
    sent.end(body);
  });

/** Whether an answer is a result, or a refusal in the envelope with the time of the next try. */
const isWithinEnvelope = ({ status, headers, text }) => {
  if (status === 200) return true;
  try {
    const body = JSON.parse(text);
    const isEnvelope = Object.keys(body).sort().join() === ENVELOPE.join();
    return isEnvelope && body.code === REFUSALS.get(status) && Number(headers['retry-after']) > 0;
  } catch {
    return false;
  }
};

const measured = async (load, index, found) => {
  const started = performance.now();
  const answer = await search(load, index);
  found.statuses[answer.status] = (found.statuses[answer.status] ?? 0) + 1;
  if (!isWithinEnvelope(answer)) found.outside += 1;
  if (answer.status === 200) found.times.push(performance.now() - started);
};

/** So many clients, each with one request at a time. */
const closedLoop = async (load, found, end) => {
  let index = 0;
  const one = async () => {
    while (performance.now() < end) {
      await measured(load, (index += 1), found);
      if (load.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, load.pauseMs));
    }
  };
  await Promise.all(Array.from({ length: load.clients }, one));
};

/** So many requests a second, whether earlier ones were answered or not. */
const openLoop = async (load, found, end) => {
  const [started, open] = [performance.now(), new Set()];
  let sent = 0;
  while (performance.now() < end) {
    const due = ((performance.now() - started) / 1_000) * load.perSecond;
    for (; sent < due; sent += 1) {
      if (open.size >= MOST_OPEN) continue;
      const one = measured(load, sent, found).finally(() => open.delete(one));
      open.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(open);
};

process.once('message', async (load) => {
  const found = { statuses: {}, outside: 0, times: [], seconds: load.seconds };
  const end = performance.now() + load.seconds * 1_000;
  await (load.perSecond === undefined ? closedLoop : openLoop)(load, found, end);
  process.send(found, () => process.exit());
});
