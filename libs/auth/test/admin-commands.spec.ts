import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScopeClaims, verifyCredential } from '@acervo/contracts';
import { HttpTransport, type LocalCalls, ProofMint, RoutedCalls, ServiceKeys } from '@acervo/platform-calls';
import { type RunningServer, serve } from '@acervo/platform-http';
import { Metrics } from '@acervo/platform-observability';
import { bootService, execute, migrationsOf, readArguments, type RunningService } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { anonymous } from '@acervo/rbac';
import { authService } from '../src';
import { authMigrations } from '../src/migrations';
import { environmentOf } from './support/auth';
import { authProgram } from './support/program';

const EMAIL = 'ana@example.test';
const PASSWORD = 'una clave larga de prueba';

describe('the admin commands of auth', () => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-wishes-'));
  const local: LocalCalls = new Map();
  let server: TestDatabase;
  let service: RunningService;
  let listening: RunningServer;
  let calls: RoutedCalls;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
    environment = environmentOf(server, directory, { ACERVO_PUBLIC_URL: 'http://acervo.example.test' });
    service = await bootService(authProgram, { environment, local });
    listening = await serve('public', service.handler, '127.0.0.1', 0);
    const transport = new HttpTransport(() => '', new ProofMint('gateway', await ServiceKeys.generate()));
    calls = new RoutedCalls('gateway', local, transport, new Metrics('test'));
  });
  afterAll(async () => {
    await listening.close();
    await service.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The output of the program for a command line. */
  const ask = async (...argv: string[]): Promise<string> => {
    const output: string[] = [];
    await execute(authProgram, environment, readArguments(authService, argv), (line) => void output.push(line));
    return output.join('\n');
  };
  const keyIn = (output: string): string => /acv_\w+/.exec(output)?.[0] ?? '';
  const ownerOf = async (bearer: string): Promise<ScopeClaims> =>
    (await calls.send(verifyCredential, anonymous, { bearer, owingFactor: false })).claims;
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${listening.port}/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  /** Rows of the first group. */
  const counts = async (): Promise<unknown> => {
    const [row] = await server.asOwner('auth', 'select group_id from auth.installation');
    return server.database('auth').read({ groupId: String(row?.['group_id']) }, (tx) =>
      tx.query(`select (select count(*)::int from auth.tenant_group) as groups,
        (select count(*)::int from auth.app_user) as users, (select count(*)::int from auth.api_key) as keys`),
    );
  };

  it('without a group every command prints how to create one', async () => {
    await expect(ask('--new-key')).rejects.toThrow(/There is no group yet.*--provision EMAIL/);
  });

  it('provisioning creates a group with a working key and password link', async () => {
    await expect(ask('--provision', 'nobody')).rejects.toThrow();
    await expect(ask('--new-key')).rejects.toThrow(/There is no group yet/);
    const output = await ask('--provision', EMAIL);
    expect(output).toMatch(new RegExp(`^Group G1, entity E1, administrator ${EMAIL}\\.`));
    expect(await ownerOf(keyIn(output))).toMatchObject({ groupCode: 'G1', userCode: EMAIL, entities: ['E1'] });
    const link = new URL(/http:\S+/.exec(output)?.[0] ?? '');
    expect(link.href).toMatch(/^http:\/\/acervo\.example\.test\/auth\/establecer-clave/);
    const token = link.hash.slice(1);
    expect((await post('establecer-clave', { token, password: PASSWORD })).status).toBe(200);
    expect((await post('login', { email: EMAIL, password: PASSWORD })).status).toBe(200);
  });

  it('repeated provisioning reports the group and changes nothing', async () => {
    expect(await counts()).toEqual([{ groups: 1, users: 1, keys: 1 }]);
    const output = await ask('--provision', 'other@example.test');
    expect(output).toMatch(new RegExp(`G1, administrator ${EMAIL}\\. Nothing was changed`));
    expect(keyIn(output)).toBe('');
    expect(await counts()).toEqual([{ groups: 1, users: 1, keys: 1 }]);
  });

  it('commands issue another key and link, and create a SYSTEM user', async () => {
    const output = await ask('--group', 'G1', '--new-key', '--admin-link', '--system-user', 'sistema@example.test');
    expect(await ownerOf(keyIn(output))).toMatchObject({ groupCode: 'G1', userCode: EMAIL });
    expect(output).toContain(`Password of ${EMAIL}: open this link`);
    expect(output).toMatch(/sistema@example\.test is a SYSTEM user\.\nThe account has no password yet/);
  });

  it('a command for a missing group is refused', async () => {
    await expect(ask('--group', 'G2', '--new-key')).rejects.toThrow('There is no group G2');
  });
});
