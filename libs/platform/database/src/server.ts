import { Client } from 'pg';
import { serverBootstrapSql } from './bootstrap';
import { type DatabaseConnection, poolConfig } from './connection';

/** Two programs that prepare one cluster at the same time take turns. */
const TURN = 1_760_000_170;

/**
 * Makes a database of a PostgreSQL server ready for migrations: extension, roles with their passwords and limits,
 * schemas. May be repeated. @param admin may create roles and the extension `vector`
 */
export const prepareServer = async (
  admin: DatabaseConnection,
  passwords: Readonly<Record<string, string>>,
): Promise<void> => {
  const { max: _max, ...login } = poolConfig(admin);
  const client = new Client(login);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${TURN}); ${serverBootstrapSql(passwords)}; commit`);
  } finally {
    await client.end();
  }
};
