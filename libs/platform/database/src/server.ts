import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { loginRoles, serverBootstrapSql } from './bootstrap';
import { type DatabaseConnection, poolConfig } from './connection';

/** Two programs that prepare one database at the same time take turns. */
const TURN = 1_760_000_170;
/** Roles belong to the cluster and locks to a database: who prepares another one at the same time is met, and tries again. */
const TRIES = 20;
const isMet = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === '23505' || (code === 'XX000' && message === 'tuple concurrently updated');
};

/** What a server answers to a login that it turns away. */
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

/** Whether a server lets somebody in. The driver cannot ask without a password. */
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
 * The login roles that are there already and do not accept these passwords: whoever made them would be locked out by new
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

/**
 * Makes a database of a PostgreSQL server ready for migrations: extension, roles with their passwords and limits,
 * schemas. May be repeated. @param admin may create roles and the extension `vector`
 */
export const prepareServer = async (
  admin: DatabaseConnection,
  passwords: Readonly<Record<string, string>>,
): Promise<void> => {
  const sql = `begin; select pg_advisory_xact_lock(${TURN}); ${serverBootstrapSql(passwords)}; commit`;
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await connected(admin, (client) => client.query(sql)));
    } catch (error) {
      if (tries >= TRIES || !isMet(error)) throw error;
      await pause(100 * Math.random());
    }
  }
};
