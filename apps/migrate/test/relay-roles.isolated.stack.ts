import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { services } from '@acervo/contracts';
import { loginRoles, openPool, prepareServer, RELAY_ROLE, relayRole } from '@acervo/platform-database';
import { describeOnStack, stackPassword, type TestServer, startTestServer } from '@acervo/platform-testing';

const run = promisify(execFile);
const program = join(__dirname, '..', 'dist', 'main.js');
const relays = services.map(relayRole);

/** Changes passwords and names of roles, which all databases of the server share, and puts them back. */
describeOnStack('the relay roles of a deployment', ['postgres'], () => {
  let server: TestServer;
  let directory: string;

  const file = (role: string, text: string): void => writeFileSync(join(directory, role), `${text}\n`);
  const migrate = async (more: Record<string, string> = {}): Promise<string> => {
    const { admin } = server;
    const environment = {
      ACERVO_DATABASE_HOST: admin.host,
      ACERVO_DATABASE_PORT: String(admin.port),
      ACERVO_DATABASE_NAME: admin.database,
      ACERVO_DATABASE_ADMIN_USER: admin.user,
      ACERVO_DATABASE_ADMIN_PASSWORD: admin.password,
      ACERVO_DATABASE_PASSWORDS: directory,
    };
    return (await run(process.execPath, [program], { env: { ...environment, ...more } })).stdout;
  };
  /** SQLSTATE of reading an outbox as a role; `read` where it succeeds. */
  const outbox = async (role: string, password: string, schema = 'auth'): Promise<string> => {
    const pool = openPool({ ...server.connection(role), password, max: 1 });
    try {
      await pool.query(`select from ${schema}.outbox`);
      return 'read';
    } catch (error) {
      return String((error as { code?: string }).code);
    } finally {
      await pool.end();
    }
  };
  const asAdmin = async (sql: string): Promise<void> => {
    const pool = openPool(server.admin);
    await pool.query(sql).finally(() => pool.end());
  };

  beforeAll(async () => {
    server = await startTestServer();
    directory = mkdtempSync(join(tmpdir(), 'acervo-passwords-'));
    for (const role of loginRoles().filter((name) => !relays.includes(name))) file(role, stackPassword(role));
  });
  afterAll(async () => {
    await prepareServer(server.admin, Object.fromEntries(loginRoles().map((role) => [role, stackPassword(role)])));
    rmSync(directory, { recursive: true, force: true });
    await server.stop();
  });

  it('files of the version before give each relay role the shared password', async () => {
    await migrate();
    const shared = stackPassword(RELAY_ROLE);
    for (const service of services) {
      expect(await outbox(relayRole(service), shared, service)).toBe('read');
      expect(await outbox(RELAY_ROLE, shared, service)).toBe('read');
    }
  });

  it('a relay role with a file has its own password, and the shared one works on', async () => {
    for (const role of relays) file(role, `own of ${role}`);
    await migrate();
    expect(await outbox('auth_relay', stackPassword(RELAY_ROLE))).toBe('28P01');
    expect(await outbox('auth_relay', 'own of auth_relay')).toBe('read');
    expect(await outbox(RELAY_ROLE, stackPassword(RELAY_ROLE))).toBe('read');
  });

  it('without a file the shared role reads no outbox', async () => {
    rmSync(join(directory, RELAY_ROLE));
    await migrate();
    for (const service of services) expect(await outbox(RELAY_ROLE, stackPassword(RELAY_ROLE), service)).toBe('42501');
    expect(await outbox('auth_relay', 'own of auth_relay')).toBe('read');
  });

  it('of two lines in a file, the first becomes the password', async () => {
    file('auth_relay', 'a newer one\nown of auth_relay');
    await migrate();
    expect(await outbox('auth_relay', 'own of auth_relay')).toBe('28P01');
    expect(await outbox('auth_relay', 'a newer one')).toBe('read');
  });

  it('roles that only an administrator can create are named, and nothing changes', async () => {
    await asAdmin('alter role chat_relay rename to chat_relay_before');
    try {
      const migrating = migrate({ ACERVO_DATABASE_ADMIN_USER: '' });
      await expect(migrating).rejects.toThrow(/The server lacks the roles chat_relay\. Set ACERVO_DATABASE_ADMIN_USER/);
    } finally {
      await asAdmin('alter role chat_relay_before rename to chat_relay');
    }
  });
});
