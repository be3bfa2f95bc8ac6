import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';

/** A server that presents a certificate, records the bytes it receives, and hangs up. */
export interface TlsServer {
  readonly port: number;
  /** Files with authorities: the one that signed the server's certificate, and one that did not. */
  readonly authority: string;
  readonly stranger: string;
  /** Bytes received encrypted, and bytes received in plain text. */
  readonly heard: { encrypted: number; unencrypted: number };
  close(): Promise<void>;
}

/** How a connection starts TLS: at once, or as PostgreSQL does, after a request of eight bytes. */
export type TlsBeginning = 'at once' | 'postgresql';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const TLS_HANDSHAKE = 22;

const certificate = (): ReturnType<typeof generate> =>
  generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });

const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

export const openTlsServer = async (beginning: TlsBeginning = 'at once'): Promise<TlsServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-tls-'));
  const [authority, stranger] = ['authority.pem', 'stranger.pem'].map((name) => join(directory, name)) as [
    string,
    string,
  ];
  const selfSigned = await certificate();
  writeFileSync(authority, selfSigned.cert);
  writeFileSync(stranger, (await certificate()).cert);
  const heard = { encrypted: 0, unencrypted: 0 };
  const sockets = new Set<Socket>();
  const inner = createTlsServer({ key: selfSigned.private, cert: selfSigned.cert }, (secure) => {
    secure.on('error', () => undefined);
    secure.on('data', (bytes: Buffer) => {
      heard.encrypted += bytes.length;
      secure.destroy();
    });
  });
  inner.on('tlsClientError', () => undefined);
  const innerPort = await portOf(inner);
  const encrypt = (socket: Socket, first: Buffer): void => {
    if (first[0] !== TLS_HANDSHAKE) {
      heard.unencrypted += first.length;
      return void socket.destroy();
    }
    const onward = connect(innerPort, '127.0.0.1');
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
    onward.write(first);
    socket.pipe(onward).pipe(socket);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (first: Buffer) => {
      if (beginning === 'at once' || !first.equals(SSL_REQUEST)) return encrypt(socket, first);
      socket.once('data', (next: Buffer) => encrypt(socket, next));
      socket.write('S');
    });
  });
  const port = await portOf(server);
  return {
    ...{ authority, stranger, heard, port },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, inner].map((each) => new Promise((resolve) => each.close(resolve))));
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
