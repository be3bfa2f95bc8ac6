import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { buildConnector } from 'undici';
import { openEgress, outcomeOf, PUBLIC_ADDRESS } from './network';

const NAME_TYPE = 2;

describe('https', () => {
  let server: Server;
  let authority: string;
  const heard: { servername: unknown; host: unknown }[] = [];

  beforeAll(async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'site.example' }], {
      ...{ keyType: 'ec', algorithm: 'sha256' },
      extensions: [{ name: 'subjectAltName', altNames: [{ type: NAME_TYPE, value: 'site.example' }] }],
    });
    authority = cert;
    server = createServer({ key, cert }, (request, response) => {
      const servername = 'servername' in request.socket ? request.socket.servername : null;
      heard.push({ servername, host: request.headers.host });
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>page</p>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const outcome = (url: string, ca?: string): Promise<string> => {
    const open = buildConnector(ca === undefined ? {} : { ca });
    const port = String((server.address() as AddressInfo).port);
    return outcomeOf(
      openEgress(
        {},
        {
          resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
          connect: (options, callback) => open({ ...options, hostname: '127.0.0.1', port }, callback),
        },
      ),
      url,
    );
  };

  it('asks a checked address for the name of the site', async () => {
    expect(await outcome('https://site.example/', authority)).toBe('200');
    expect(heard.at(-1)).toEqual({ servername: 'site.example', host: 'site.example' });
  });

  it('refuses a certificate of another name', async () => {
    expect(await outcome('https://other.example/', authority)).toBe('SiteUnavailable');
  });

  it('refuses a certificate of an unknown authority', async () => {
    expect(await outcome('https://site.example/')).toBe('SiteUnavailable');
  });
});
