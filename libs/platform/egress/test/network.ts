import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '@acervo/platform-config';
import { MemoryRates } from '@acervo/platform-counters';
import { buildConnector } from 'undici';
import { Egress, EgressConfig, type EgressDependencies, type Connect } from '../src';
import { isLoopbackAddress } from '../src/public-address';

/** An address of the internet that the suites stand behind. */
export const PUBLIC_ADDRESS = '93.184.215.14';
export const HTML = ['text/html'];

/** A site on this machine, and a listener on all its addresses that counts who connects. */
export interface TestSite {
  readonly port: number;
  /** Connections that the operating system accepted. */
  readonly accepted: () => number;
  /** Paths in the order of requests. */
  readonly paths: string[];
  close(): Promise<void>;
}

export const openSite = async (answer: RequestListener): Promise<TestSite> => {
  const paths: string[] = [];
  let accepted = 0;
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  });
  server.on('connection', () => (accepted += 1));
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    paths,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Records every address that is connected to. Loopback is really connected to; another address leads to the site. */
export class RecordedNetwork {
  readonly addresses: string[] = [];
  readonly asked: string[] = [];
  private readonly open = buildConnector({ timeout: 5_000 });

  constructor(
    private readonly site: Pick<TestSite, 'port'>,
    private readonly names: Readonly<Record<string, readonly (readonly string[])[]>> = {},
  ) {}

  readonly connect: Connect = (options, callback) => {
    this.addresses.push(options.hostname);
    const isHere = isLoopbackAddress(options.hostname) || options.hostname === '0.0.0.0';
    const port = isHere && options.port !== '' ? options.port : String(this.site.port);
    this.open({ ...options, hostname: isHere ? options.hostname : '127.0.0.1', port }, callback);
  };

  /** The answers of a name one after the other; the last one stays. Names without answers are public. */
  readonly resolve = (host: string): Promise<readonly string[]> => {
    const turn = this.asked.filter((each) => each === host).length;
    this.asked.push(host);
    const answers = this.names[host] ?? [[PUBLIC_ADDRESS]];
    return Promise.resolve(answers[Math.min(turn, answers.length - 1)] ?? []);
  };
}

export const openEgress = (
  environment: Readonly<Record<string, string>> = {},
  dependencies: EgressDependencies = {},
): Egress =>
  new Egress(
    readConfig(EgressConfig, { NODE_ENV: 'test', ACERVO_EGRESS_REQUESTS_PER_SECOND: '100', ...environment }),
    new MemoryRates(),
    dependencies,
  );

/** What a fetch ended with. */
export const outcomeOf = async (egress: Egress, url: string): Promise<string> => {
  try {
    return String((await egress.fetch('group-1', { url, types: HTML })).status);
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown';
  }
};
