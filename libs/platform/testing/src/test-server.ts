import { createHmac, randomUUID } from 'node:crypto';
import { type DatabaseConnection, loginRoles, openPool, prepareServer } from '@acervo/platform-database';
import { stackVariable } from './stack';

/** A separate database of one test on the PostgreSQL of the running stack. */
export interface TestServer {
  readonly admin: DatabaseConnection;
  connection(role: string): DatabaseConnection;
  stop(): Promise<void>;
}

const derived = (secret: string, name: string): string =>
  createHmac('sha256', secret).update(name).digest('hex').slice(0, 32);

/** Databases of a cluster share its roles, so every test gives them the same passwords. */
export const stackPassword = (role: string): string => derived(stackVariable('ACERVO_DATABASE_ADMIN_PASSWORD'), role);

/** The password of a service at the Kafka of the stack, as `tools/stack/engines/kafka.mjs` derives it. */
export const stackKafkaPassword = (service: string): string =>
  derived(stackVariable('ACERVO_KAFKA_PASSWORD'), `kafka_${service}`);

const adminOf = (database: string): DatabaseConnection => ({
  host: stackVariable('ACERVO_DATABASE_HOST'),
  port: Number(stackVariable('ACERVO_DATABASE_PORT')),
  database,
  user: stackVariable('ACERVO_DATABASE_ADMIN_USER'),
  password: stackVariable('ACERVO_DATABASE_ADMIN_PASSWORD'),
  max: 1,
});

const asAdmin = async (sql: string): Promise<void> => {
  const pool = openPool(adminOf('postgres'));
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
};

/** Creates an empty database of this name, unless it exists. */
export const makeDatabase = async (name: string): Promise<void> => {
  await asAdmin(`create database ${name}`).catch((error: unknown) => {
    const isThere = (error as { code?: string }).code === '42P04';
    if (!isThere) throw error;
  });
};

/** Creates a database with every role and schema; the test drops it when it stops. */
export const startTestServer = async (): Promise<TestServer> => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`create database ${database}`);
  const admin = adminOf(database);
  await prepareServer(admin, Object.fromEntries(loginRoles().map((role) => [role, stackPassword(role)])));
  return {
    admin,
    connection: (role) => {
      const { max: _max, ...login } = admin;
      return { ...login, user: role, password: role === admin.user ? admin.password : stackPassword(role) };
    },
    stop: () => asAdmin(`drop database if exists ${database} with (force)`),
  };
};
