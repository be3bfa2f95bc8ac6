import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { type DatabaseConnection, loginRoles, poolConfig, prepareServer } from '../src';
import type { Engine } from './support';

const state = process.env['ACERVO_STACK'];
/** Whether these tests run on the PostgreSQL of a running stack. */
export const onStack = state !== undefined;

interface State {
  readonly keeper: { readonly port: number; readonly token: string };
  readonly variables: Readonly<Record<string, string>>;
}
const read = (): State => JSON.parse(readFileSync(state ?? '', 'utf8')) as State;

const variable = (name: string): string => read().variables[name] ?? '';

/** Has the server of the stack killed as a power cut does, and started again. */
export const killServer = async (): Promise<void> => {
  const { port, token } = read().keeper;
  for (const action of ['kill', 'start']) {
    const url = `http://127.0.0.1:${port}/postgres/${action}`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization: token } });
    if (!answer.ok) throw new Error(await answer.text());
  }
};

/** The superuser of the running stack, in one of its databases. */
export const adminOf = (database: string): DatabaseConnection => ({
  host: variable('ACERVO_DATABASE_HOST'),
  port: Number(variable('ACERVO_DATABASE_PORT')),
  database,
  user: variable('ACERVO_DATABASE_ADMIN_USER'),
  password: variable('ACERVO_DATABASE_ADMIN_PASSWORD'),
});

export const asAdmin = async (database: string, sql: string): Promise<void> => {
  const { max: _max, ...login } = poolConfig(adminOf(database));
  const client = new Client(login);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** Roles belong to the whole cluster, so every test gives them the same passwords. */
export const passwordOf = (role: string): string =>
  createHmac('sha256', variable('ACERVO_DATABASE_ADMIN_PASSWORD')).update(role).digest('hex').slice(0, 32);
export const passwords = (): Record<string, string> =>
  Object.fromEntries(loginRoles().map((role) => [role, passwordOf(role)]));

/** A separate database on that server. */
export const startServer = async (): Promise<Engine> => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin('postgres', `create database ${database}`);
  await prepareServer(adminOf(database), passwords());
  // Idle connections first: an interrupted client must not get a connection that is about to be closed.
  const cutAll = `select pg_terminate_backend(pid) from
    (select pid from pg_stat_activity where datname = '${database}' and usename <> 'postgres'
     order by (state is distinct from 'idle')) cut`;
  return {
    connection: (role) => ({ ...adminOf(database), user: role, password: passwordOf(role) }),
    pid: undefined,
    directory: '',
    cut: () => void asAdmin('postgres', cutAll),
    stop: () => asAdmin('postgres', `drop database ${database} with (force)`),
  };
};
