// Checks of local ports.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect, createServer } from 'node:net';

/** Below the ephemeral ports: an outgoing connection could occupy the port of a killed engine. */
const [FIRST, LAST] = [15_000, 32_000];
const TRIES = 50;

/** Whether a port of loopback is free. */
export const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port that is free now on loopback. */
export const freePort = async () => {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${LAST} is free.`);
};

/** Whether a port accepts connections, and answers an optional line as expected. */
export const converse = (port, line = '', expected = /^/) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const done = (fits) => {
      socket.destroy();
      resolve(fits);
    };
    socket.setTimeout(2_000, () => done(false));
    socket.once('error', () => done(false));
    socket.once('connect', () => (line === '' && expected.test('') ? done(true) : socket.write(line)));
    socket.on('data', (data) => {
      heard += data;
      if (expected.test(heard)) done(true);
    });
    socket.once('close', () => done(false));
  });

/** Whether an address answers with status 200. */
export const answersOk = async (url, headers = {}) => {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  return answer.ok;
};

/** Whether an address with a certificate of an authority answers a login with status 200. */
export const answersSecurely = (url, { ca, login }) =>
  new Promise((resolve, reject) => {
    const options = { ca: readFileSync(ca), auth: login, agent: false, timeout: 2_000 };
    const request = get(url, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.once('timeout', () => request.destroy(new Error(`${url} does not answer.`)));
    request.once('error', reject);
  });
