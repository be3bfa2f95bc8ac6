import type { ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ownerOf, prefixes } from '@acervo/contracts';
import { spawnOwned } from '@acervo/platform-testing';
import { until } from '../waiting';

/** The ports of one process of a service. */
export interface Ports {
  readonly public: number;
  readonly internal: number;
}

/** A service behind the balancer: places for its processes, of which some are empty, and the port of its peers. */
export interface Balanced {
  readonly service: string;
  readonly places: readonly Ports[];
  /** Port at which the other services reach it. */
  readonly peers: number;
}

/** Every other path is left to the service that owns the root. */
const ROOT = ownerOf('/') ?? '';
const prefixesOf = (service: string): readonly string[] =>
  prefixes.filter(({ owner }) => owner === service).map(({ prefix }) => prefix);

const isPublic = ({ service }: Pick<Balanced, 'service'>): boolean => prefixesOf(service).length > 0;

/** Sends the prefixes of a service to it. */
const routeOf = ({ service }: Balanced): string =>
  `use_backend ${service}-public if { path_beg ${prefixesOf(service).join(' ')} }`;

/** Not every account has the folders of system programs in its path. */
const PATH = [process.env['PATH'] ?? '', '/usr/sbin', '/usr/local/sbin'].join(':');

/**
 * Probes as those of Kubernetes: a place is used while the readiness of its process answers 200. `inter` limits the TLS
 * handshake of a probe too: within half a second, processes that start beside it on a small machine made others time out.
 * A process that drains is noticed within 2.5 s.
 */
const PROBED = [
  'option httpchk GET /health/ready',
  'default-server inter 1500ms fastinter 500ms downinter 500ms fall 3 rise 1 check-ssl verify none',
];

const lines = (title: string, inside: readonly string[]): string => [title, ...inside].join('\n  ');

/** People's requests, as an ingress passes them on: by prefix, each request to any ready process. */
const publicBackend = ({ service, places }: Balanced): string =>
  lines(`backend ${service}-public`, [
    'mode http',
    'balance roundrobin',
    'option forwardfor',
    ...PROBED,
    ...places.map((ports, at) => `server ${at} 127.0.0.1:${ports.public} check port ${ports.internal}`),
  ]);

/** Calls of peers, as a Service passes them on: by connection. */
const peersOf = ({ service, places, peers }: Balanced): string =>
  lines(`listen ${service}-peers`, [
    `bind 127.0.0.1:${peers}`,
    'mode tcp',
    'balance roundrobin',
    ...PROBED,
    ...places.map((ports, at) => `server ${at} 127.0.0.1:${ports.internal} check`),
  ]);

const configuration = (port: number, socket: string, services: readonly Balanced[]): string =>
  [
    lines('global', ['maxconn 4096', `stats socket ${socket} mode 600 level admin`]),
    lines('defaults', [
      'timeout connect 2s',
      'timeout check 2s',
      'timeout client 120s',
      'timeout server 120s',
      'option redispatch',
    ]),
    lines('frontend public', [
      'mode http',
      `bind 127.0.0.1:${port}`,
      ...services.filter((each) => isPublic(each) && each.service !== ROOT).map(routeOf),
      `default_backend ${ROOT}-public`,
    ]),
    ...services.filter(isPublic).map(publicBackend),
    ...services.map(peersOf),
    '',
  ].join('\n\n');

/** HAProxy before the services: the public port as an ingress, and a port for each service as Kubernetes' Service. */
export class Balancer {
  private child: ChildProcess | undefined;
  private readonly socket: string;

  constructor(
    private readonly place: string,
    private readonly port: number,
    private readonly services: readonly Balanced[],
  ) {
    this.socket = join(place, 'haproxy.sock');
  }

  /** @throws with what HAProxy printed when it does not start */
  async start(): Promise<void> {
    const file = join(this.place, 'haproxy.cfg');
    writeFileSync(file, configuration(this.port, this.socket, this.services));
    const child = spawnOwned('HAProxy', 'haproxy', ['-db', '-f', file], {
      env: { PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    let printed = '';
    child.once('error', (error) => (printed = `${error.message}; install HAProxy (package haproxy)`));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (printed += String(data)));
    await until('HAProxy answers', () => {
      if (child.pid === undefined || child.exitCode !== null) throw new Error(`HAProxy does not run: ${printed}`);
      return existsSync(this.socket);
    });
  }

  /** Waits until a place of a service is used, or is no longer used. */
  async isUsed(service: string, place: number, used: boolean): Promise<void> {
    const fronts = [`${service}-peers`, ...(isPublic({ service }) ? [`${service}-public`] : [])];
    await until(`place ${place} of ${service} is ${used ? '' : 'not '}used`, async () => {
      const states = await this.states();
      return fronts.every((front) => states.get(`${front}/${place}`)?.startsWith('UP') === used);
    });
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** The state of each place, by its backend and number. */
  private async states(): Promise<ReadonlyMap<string, string>> {
    const asked = connect(this.socket);
    asked.end('show stat\n');
    const [, ...rows] = (await text(asked)).split('\n');
    return new Map(rows.map((row) => row.split(',')).map((cells) => [`${cells[0]}/${cells[1]}`, cells[17] ?? '']));
  }
}
