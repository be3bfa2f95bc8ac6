import { Client } from 'pg';
import { retry } from '@acervo/platform-resilience';
import { loginRoles, retireSharedRelaySql, serverBootstrapSql } from './bootstrap';
import { type DatabaseConnection, poolConfig } from './connection';

/** Advisory lock that serialises programs which prepare the same database. */
const TURN_MS = 1_760_000_170;
/**
 * Tries to prepare a database. Roles belong to the cluster, but locks to a database: a program that prepares another
 * database can conflict, and is retried.
 */
const TRIES = 20;
const isMet = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === '23505' || (code === 'XX000' && message === 'tuple concurrently updated');
};

/** SQLSTATEs of a rejected login. */
const TURNED_AWAY = new Set(['28P01', '28000']);

const connected = async <T>(login: DatabaseConnection, work: (client: Client) => Promise<T>): Promise<T> => {
  const { max: _max, ...config } = poolConfig(login);
  const client = new Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Whether a server accepts a login. Without a password the driver cannot ask. */
const accepts = async (
  login: Omit<DatabaseConnection, 'password'> & { readonly password?: string },
): Promise<boolean> => {
  const { password = '' } = login;
  if (password === '') return false;
  return connected({ ...login, password }, () => Promise.resolve(true)).catch((error: unknown) => {
    if (!TURNED_AWAY.has(String((error as { code?: unknown }).code))) throw error;
    return false;
  });
};

/**
 * Existing login roles that do not accept these passwords: new passwords would lock out the programs that use the old
 * ones. Changes nothing.
 */
export const rolesOfOthers = async (
  admin: DatabaseConnection,
  passwords: Readonly<Record<string, string>>,
): Promise<string[]> => {
  const there = await connected(admin, (client) =>
    client.query<{ name: string }>('select rolname as name from pg_roles where rolname = any($1) order by 1', [
      loginRoles(),
    ]),
  );
  const strange: string[] = [];
  for (const { name } of there.rows)
    if (!(await accepts({ ...admin, user: name, password: passwords[name] }))) strange.push(name);
  return strange;
};

/** The login roles that a server lacks: a version that adds roles needs an administrator once. */
export const missingRoles = async (login: DatabaseConnection): Promise<string[]> => {
  const sql = 'select name from unnest($1::text[]) name where not exists (select from pg_roles where rolname = name)';
  const { rows } = await connected(login, (client) => client.query<{ name: string }>(sql, [loginRoles()]));
  return rows.map(({ name }) => name);
};

/**
 * Prepares a database of a PostgreSQL server for migrations: extension, roles with their passwords and limits, schemas.
 * Idempotent.
 * @param admin may create roles and the extension `vector`
 * @param retiresSharedRelay closes the role that reads every outbox; deployments on servers do not use it
 */
export const prepareServer = async (
  admin: DatabaseConnection,
  passwords: Readonly<Record<string, string>>,
  { retiresSharedRelay = false } = {},
): Promise<void> => {
  const retire = retiresSharedRelay ? retireSharedRelaySql() : '';
  const sql = `begin; select pg_advisory_xact_lock(${TURN_MS}); ${serverBootstrapSql(passwords)}; ${retire} commit`;
  await retry(
    () => connected(admin, (client) => client.query(sql)),
    (failures, error) => (failures >= TRIES || !isMet(error) ? undefined : 100 * Math.random()),
  );
};
