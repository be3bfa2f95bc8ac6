import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { authService } from '@acervo/auth';
import { services } from '@acervo/contracts';
import { gatewayService } from '@acervo/gateway';
import { ingestionService } from '@acervo/ingestion';
import { keyTables } from '@acervo/platform-calls';
import { catalogueViolations, loginRoles } from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import type { ServiceDefinition } from '@acervo/platform-service';
import { describeOnStack, stackPassword, type TestServer, startTestServer } from '@acervo/platform-testing';
import { retrievalService } from '@acervo/retrieval';

const run = promisify(execFile);
const owned: readonly ServiceDefinition[] = [authService, gatewayService, ingestionService, retrievalService];
const program = join(__dirname, '..', 'dist', 'main.js');

describeOnStack('the program that migrates', ['postgres'], () => {
  let server: TestServer;
  let passwords: string;
  const environment = (): Record<string, string> => ({
    ACERVO_DATABASE_HOST: server.admin.host,
    ACERVO_DATABASE_PORT: String(server.admin.port),
    ACERVO_DATABASE_NAME: server.admin.database,
    ACERVO_DATABASE_ADMIN_USER: server.admin.user,
    ACERVO_DATABASE_ADMIN_PASSWORD: server.admin.password,
    ACERVO_DATABASE_PASSWORDS: passwords,
  });
  const migrate = async (names: string[], more: Record<string, string> = {}): Promise<string> =>
    (await run(process.execPath, [program, ...names], { env: { ...environment(), ...more } })).stdout;
  const asOwner = async <R>(service: string, work: (client: Client) => Promise<R>): Promise<R> => {
    const { max: _max, priority: _lane, ...login } = server.connection(`${service}_owner`);
    const client = new Client(login);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    server = await startTestServer();
    passwords = mkdtempSync(join(tmpdir(), 'acervo-passwords-'));
    for (const role of loginRoles()) writeFileSync(join(passwords, role), `${stackPassword(role)}\n`);
  });
  afterAll(async () => {
    rmSync(passwords, { recursive: true, force: true });
    await server.stop();
  });

  it('migrations of one schema, then all, run each migration once', async () => {
    const first = await migrate(['retrieval']);
    expect(first).toContain('retrieval.Messaging1760000000000');
    expect(first).not.toContain('auth.');
    const rest = await migrate([]);
    expect(rest).toContain('auth.Messaging1760000000000');
    expect(rest).not.toContain('retrieval.');
    expect(await migrate([], { ACERVO_DATABASE_ADMIN_USER: '' })).toBe('0 migrations ran.\n');
  });

  it('two migrate programs at a time run each migration once', async () => {
    const empty = await startTestServer();
    try {
      const more = { ACERVO_DATABASE_NAME: empty.admin.database };
      const outputs = await Promise.all([migrate([], more), migrate([], more)]);
      const ran = outputs.flatMap((output) => output.split('\n').filter((line) => line.includes('.Messaging')));
      expect(ran.sort()).toEqual(services.map((service) => `${service}.Messaging1760000000000`).sort());
    } finally {
      await empty.stop();
    }
  });

  it.each(owned.map(({ name, sharedTables = [] }) => [name, sharedTables] as const))(
    'migrated tables of %s enforce tenancy, as in the embedded database',
    async (schema, sharedTables) => {
      const notTenant = ['migrations', ...messagingTables, ...keyTables, ...sharedTables];
      const found = await asOwner(schema, (client) =>
        catalogueViolations(async (sql, params) => (await client.query(sql, [...(params ?? [])])).rows, {
          ...{ schema, appRole: `${schema}_app`, notTenant },
        }),
      );
      expect(found).toEqual([]);
    },
  );

  it.each([
    ['a service that does not exist', ['nobody'], {}, /There is no service nobody/],
    [
      'missing passwords',
      [],
      { ACERVO_DATABASE_PASSWORDS: '/nowhere', ACERVO_DATABASE_ADMIN_USER: '' },
      /There is no password of/,
    ],
  ])('the migrations refuse %s with a readable message', async (_what, names, more, message) => {
    await expect(migrate([...names], more as Record<string, string>)).rejects.toThrow(message);
  });
});
