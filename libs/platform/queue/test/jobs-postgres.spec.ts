import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type DatabaseConnection, QUEUE_ROLE } from '@acervo/platform-database';
import { PostgresJobs } from '../src';
import { behavesLikeJobs, STAGE, World } from './jobs.behaviour';

behavesLikeJobs('PostgreSQL', (server) => new PostgresJobs(server.connection(QUEUE_ROLE)));

/** A proxy to a database that closes its first connections after their first query. */
const openFragileWay = async (
  { host, port }: DatabaseConnection,
  breaks: number,
): Promise<{ readonly port: number; close(): void }> => {
  const sockets = new Set<Socket>();
  let broken = 0;
  const server: Server = createServer((socket) => {
    const onward = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => undefined);
    }
    let messages = 0;
    socket.on('data', () => {
      messages += 1;
      // The login is complete: the third message is the first query.
      if (messages < 3 || broken >= breaks) return;
      broken += 1;
      socket.destroy();
      onward.destroy();
    });
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

describe('work signals on PostgreSQL whose database goes away while they open', () => {
  it('signals lost with PostgreSQL do not block, and tasks run later', async () => {
    let way: Awaited<ReturnType<typeof openFragileWay>> | undefined;
    const world = await World.begin((server) => {
      const connection = server.connection(QUEUE_ROLE);
      return new PostgresJobs(way === undefined ? connection : { ...connection, host: '127.0.0.1', port: way.port });
    });
    try {
      way = await openFragileWay(world.server.connection(QUEUE_ROLE), 6);
      const groupId = randomUUID();
      const workSignals = await world.openSignals();
      world.answer(workSignals);
      const ids = await world.put(groupId, 3);
      for (let time = 0; time < 40 && !ids.every((id) => world.done.has(id)); time += 1) {
        await workSignals.notify(groupId, STAGE.name);
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      expect(await world.timesDone(ids)).toEqual([1, 1, 1]);
    } finally {
      await world.rest();
      way?.close();
      await world.end();
    }
  });
});
