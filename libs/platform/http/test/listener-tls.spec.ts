import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { Agent, createServer as createTlsServer, request } from 'node:https';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { until } from '@acervo/platform-testing';
import { serve, UNPROVEN_BOUNDS, UnusableCertificate } from '../src';
import { followCertificate, type ListenerTls, readCertificate } from '../src/listener-tls';

const made = () =>
  generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });

let place: string;
let files: ListenerTls;
/** Writes a new certificate and its key; answers the certificate. */
const replace = async (): Promise<string> => {
  const pair = await made();
  writeFileSync(files.certificate, pair.cert);
  writeFileSync(files.key, pair.private);
  return pair.cert;
};

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'acervo-listener-'));
  files = { certificate: join(place, 'tls.crt'), key: join(place, 'tls.key') };
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** The status of a request, and whether the connection ends with it. */
const ask = (port: number, agent: Agent): Promise<{ status: number; ends: boolean }> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ends: answer.headers.connection === 'close' }));
    });
    sent.on('error', reject);
    sent.end();
  });

describe('a listener with a certificate', () => {
  it('a client that takes nothing of its answer is cut', async () => {
    const ca = await replace();
    let ended = 0;
    const handler: RequestListener = (_request, response) => {
      response.once('close', () => (ended += 1));
      response.end(Buffer.alloc(16_000_000));
    };
    const security = { files, failed: () => undefined };
    const server = await serve('internal', handler, '127.0.0.1', 0, security, { stalledMs: 200 });
    const socket = connect({ host: '127.0.0.1', port: server.port, ca }, () => {
      socket.pause();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    socket.on('error', () => undefined);
    await until('the connection is cut', () => ended === 1, 5_000);
    socket.destroy();
    await server.close(0);
  });
  it('answers over TLS alone, and drains as a plain one does', async () => {
    const ca = await replace();
    const security = { files, failed: () => undefined };
    const server = await serve('internal', (_request, response) => void response.end('yes'), '127.0.0.1', 0, security);
    const agent = new Agent({ keepAlive: true, ca });
    expect(await ask(server.port, agent)).toEqual({ status: 200, ends: false });
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
    await expect(ask(server.port, new Agent())).rejects.toThrow(/self-signed/);
    server.drain();
    expect(await ask(server.port, agent)).toEqual({ status: 200, ends: true });
    await server.close();
    await expect(ask(server.port, agent)).rejects.toThrow(/ECONNREFUSED/);
    agent.destroy();
  });

  it('a connection with a proof stays, one without a handshake ends', async () => {
    const ca = await replace();
    const proves = ({ headers }: IncomingMessage): Promise<boolean> => Promise.resolve(headers['x-proof'] === 'valid');
    const senders = { ...UNPROVEN_BOUNDS, longestMs: 500, proves };
    const security = { files, failed: () => undefined };
    const answer: RequestListener = (_request, response) => void response.end('yes');
    const server = await serve('internal', answer, '127.0.0.1', 0, security, { senders });
    const service = connect({ host: '127.0.0.1', port: server.port, ca });
    let text = '';
    service.on('data', (part: Buffer) => (text += part.toString()));
    const call = 'GET / HTTP/1.1\r\nHost: x\r\nX-Proof: valid\r\n\r\n';
    service.write(call);
    await until('it is answered', () => text.split('yes').length === 2);
    const bare = connectPlain(server.port, '127.0.0.1');
    await until('the other connection is ended', () => bare.destroyed);
    service.write(call);
    await until('it is answered again', () => text.split('yes').length === 3);
    service.destroy();
    await server.close(0);
  });

  it('does not start without files that fit together', async () => {
    const open = (): unknown => serve('internal', () => undefined, '127.0.0.1', 0, { files, failed: () => undefined });
    expect(open).toThrow(UnusableCertificate);
    await replace();
    writeFileSync(files.key, (await made()).private);
    expect(open).toThrow(/ACERVO_INTERNAL_TLS_CERTIFICATE and ACERVO_INTERNAL_TLS_KEY/);
  });

  it('presents a replaced certificate without a restart, and keeps the one before it when the new one is unusable', async () => {
    await replace();
    const failures: unknown[] = [];
    const server = createTlsServer(readCertificate(files));
    followCertificate(server, files, (error) => failures.push(error), 20);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const isTrusted = (ca: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, ca }, () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      });
    const presented = (ca: string): Promise<void> => until('the new certificate is presented', () => isTrusted(ca));
    const next = await replace();
    await presented(next);
    writeFileSync(files.certificate, 'no certificate');
    await until('the failure is reported', () => failures.length > 0);
    expect(await isTrusted(next)).toBe(true);
    await presented(await replace());
    await new Promise((resolve) => server.close(resolve));
  });
});
