import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Answer, HttpClient } from '../harness/http-client';
import { registered } from '../harness/people';
import { freePort, Program, temporary, write } from '../harness/program';

/** More than a key of the rate of servers may send at once, with what is refilled meanwhile. */
const BURST = 400;
const CLIENTS = 32;
const DOWNLOAD = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('scripts at full speed on the settings of a start', () => {
  const place = temporary();
  const [folder, data] = ['folder', 'data'].map((name) => join(place.path, name)) as [string, string];
  let program: Program;
  let other: HttpClient;

  beforeAll(async () => {
    write(folder, { 'riego.txt': 'La cuota de riego se paga cada mes en la oficina.' });
    program = await Program.start({ folder, data, port: await freePort(), limited: true });
    await program.done();
    const { key } = await registered(new HttpClient({ port: program.port }), data, 'vecina@example.test');
    other = new HttpClient({ port: program.port, key });
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  /** Clients that share so many requests; answers the number of answers by status. */
  const shared = async (
    clients: number,
    requests: number,
    send: () => Promise<Answer>,
  ): Promise<Record<string, number>> => {
    const statuses: Record<string, number> = {};
    let left = requests;
    const client = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const { status } = await send();
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return statuses;
  };
  const searched = (asking: HttpClient, clients: number, searches: number): Promise<Record<string, number>> =>
    shared(clients, searches, () => asking.send('POST', '/v1/documents/search', { query: 'cuota de riego', limit: 3 }));

  it('the message of the start says how to change the rate', () => {
    expect(program.printed).toMatch(/^Each key may send 6,000 requests a minute; ACERVO_KEY_RATE changes that/m);
  });
  it('a burst of one key is never refused', async () => {
    expect(await shared(CLIENTS, BURST, () => program.send('GET', '/v1/session'))).toEqual({ 200: BURST });
  });
  it.each([
    [1, 20],
    [8, 60],
    [CLIENTS, 100],
  ])('%d clients of one key are never refused', async (clients, searches) => {
    expect(await searched(program, clients, searches)).toEqual({ 200: searches });
  });
  it('a client beside eight of another group searches at the same time', async () => {
    const [crowd, alone] = await Promise.all([searched(program, 8, 100), searched(other, 1, 10)]);
    expect([crowd, alone]).toEqual([{ 200: 100 }, { 200: 10 }]);
  });
  it('clients that pipeline downloads and read nothing leave searches to others', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const socket = connect({ port: program.port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (index % 4)}` });
        socket.pause();
        return new Promise<Socket>((resolve, reject) => {
          socket.on('error', reject);
          socket.write(DOWNLOAD.repeat(16), () => resolve(socket));
        });
      }),
    );
    expect(await searched(program, 4, 20)).toEqual({ 200: 20 });
    for (const socket of sockets) socket.destroy();
    expect(await searched(program, 4, 20)).toEqual({ 200: 20 });
  });
});
