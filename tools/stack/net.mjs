// Small questions to ports of this machine.
import { connect, createServer } from 'node:net';

/** A port that is free now on loopback. */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

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
