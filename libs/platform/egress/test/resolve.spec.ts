import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { LIMITS, type Resolve, resolveBy } from '../src/resolve';

const [QUERY_HEADER, TYPE_AAAA, SERVER_FAILURE, NO_SUCH_NAME] = [12, 28, 2, 3];
const IPV4 = Buffer.from([93, 184, 215, 14]);
const IPV6 = Buffer.from('26062800021fcb0700000000000000ab', 'hex');
/** The name of the question, once more; its type is set where it is used. */
const RECORD = Buffer.from('c00c0000000100000000', 'hex');

const nameIn = (query: Buffer): string => {
  const labels: string[] = [];
  for (let at = QUERY_HEADER; query.readUInt8(at) > 0; at += query.readUInt8(at) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)));
  return labels.join('.');
};

/** The answer of a name server with one address, or with none. */
const answerTo = (query: Buffer, address: Buffer | undefined, code = 0): Buffer => {
  const question = query.subarray(QUERY_HEADER, QUERY_HEADER + nameIn(query).length + 6);
  const header = Buffer.alloc(QUERY_HEADER);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(1, 4);
  if (address === undefined) return Buffer.concat([header, question]);
  header.writeUInt16BE(1, 6);
  const record = Buffer.concat([RECORD, Buffer.from([0, address.length]), address]);
  record.writeUInt16BE(question.readUInt16BE(question.length - 4), 2);
  return Buffer.concat([header, question, record]);
};

/** Knows `both.test`, `old.test` without the newer family, and `half.test`, where it fails for that one. */
const replyTo = (query: Buffer): Buffer | undefined => {
  const name = nameIn(query);
  const isNewer = query.readUInt16BE(QUERY_HEADER + name.length + 2) === TYPE_AAAA;
  if (name === 'both.test') return answerTo(query, isNewer ? IPV6 : IPV4);
  if (name === 'old.test') return answerTo(query, isNewer ? undefined : IPV4);
  if (name === 'half.test') return isNewer ? answerTo(query, undefined, SERVER_FAILURE) : answerTo(query, IPV4);
  return name === 'silent.test' ? undefined : answerTo(query, undefined, NO_SUCH_NAME);
};

describe('a name of a site', () => {
  let server: Socket;
  let servers: readonly string[];
  let resolve: Resolve;
  beforeAll(async () => {
    server = createSocket('udp4', (query, { port, address }) => {
      const reply = replyTo(query);
      if (reply !== undefined) server.send(reply, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    servers = [`127.0.0.1:${port}`];
    resolve = resolveBy({ ...LIMITS, servers });
  });
  afterAll(() => server.close());

  it('has the addresses of both families', async () => {
    expect(await resolve('both.test')).toEqual(['93.184.215.14', '2606:2800:21f:cb07::ab']);
  });

  it.each(['old.test', 'half.test'])('%s is found in one family alone', async (name) => {
    expect(await resolve(name)).toEqual(['93.184.215.14']);
  });

  it('fails where the name server is silent', async () => {
    const impatient = resolveBy({ timeout: 1, tries: 1, servers });
    await expect(impatient('silent.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('is not looked up in the hosts file of the machine', async () => {
    await expect(resolve('localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
