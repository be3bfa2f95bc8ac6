// Small questions to ports of this machine.
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Below the ports that systems give to connections: there one may sit where an engine that was killed comes back. */
const [FIRST, LAST] = [15_000, 32_000];
const TRIES = 50;

/** Whether nobody listens on a port of loopback. */
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

/** Whether somebody accepts connections, and with what they answer to a line where one is sent. */
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

/** Whether an address answers 200. */
export const answersOk = async (url, headers = {}) => {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  return answer.ok;
};
