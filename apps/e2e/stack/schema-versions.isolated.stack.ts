/**
 * Programs of this version on the schema of a later one, as a rolling upgrade has them.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import { join } from 'node:path';
import { type DatabaseConnection, type MigrationClass, runMigrations } from '@acervo/platform-database';
import { describeOnStack, stackPassword, stackVariable } from '@acervo/platform-testing';
import { contracting, expanding } from '../harness/cluster/later-version';
import { temporary } from '../harness/program';
import { stackEnvironment } from '../harness/on-stack';
import { until } from '../harness/waiting';
import { Deployment } from './deployment';

const ADMIN = { email: 'ana@example.test', password: 'una clave larga de prueba' };

describeOnStack('a service on the schema of a later version', ['postgres', 'kafka', 'redis'], () => {
  const place = temporary();
  let deployment: Deployment;

  const owner = async (): Promise<DatabaseConnection> => ({
    host: stackVariable('ACERVO_DATABASE_HOST'),
    port: Number(stackVariable('ACERVO_DATABASE_PORT')),
    database: (await stackEnvironment(place.path))['ACERVO_DATABASE_NAME'] ?? '',
    ...{ user: 'auth_owner', password: stackPassword('auth_owner') },
  });
  const migrate = async (migration: MigrationClass): Promise<string[]> =>
    runMigrations(await owner(), 'auth', [migration]);
  const ask = async (path: string, body?: object, token = ''): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${deployment.urlOf('auth')}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as object), httpStatus: answer.status };
  };
  /** A login, and the session that it opened. */
  const statuses = async (): Promise<unknown[]> => {
    const session = await ask('/auth/login', ADMIN);
    const me = await ask('/auth/me', undefined, String(session['access_token']));
    const renewed = await ask('/auth/refrescar', { refresh_token: session['refresh_token'] });
    return [session['httpStatus'], me['httpStatus'], renewed['httpStatus']];
  };

  beforeAll(async () => {
    deployment = await Deployment.make(place.path, join(place.path, 'documents'));
    expect(await deployment.run('migrate', [])).toMatchObject({ code: 0 });
    const { output } = await deployment.run('auth', ['--provision', ADMIN.email]);
    const token = new URL(/https?:\S+establecer-clave\S*/.exec(output)?.[0] ?? '').hash.slice(1);
    await deployment.start(['auth']);
    const answer = await ask('/auth/establecer-clave', { token, password: ADMIN.password });
    expect(answer['httpStatus']).toBe(200);
  });
  afterAll(async () => {
    await deployment.stop();
    place.remove();
  });

  it('a running program answers while its schema is expanded', async () => {
    const found: unknown[][] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) found.push(await statuses());
    })();
    await until('sessions are opened', () => Promise.resolve(found.length > 5));
    expect(await migrate(expanding('auth'))).toEqual(['Wider1890000000001']);
    const before = found.length;
    await until('sessions are opened again', () => Promise.resolve(found.length > before + 10));
    isOver = true;
    await asking;
    expect(found.filter((each) => each.join() !== '200,200,200')).toEqual([]);
  });

  it('a restarted program accepts the expansion', async () => {
    expect(await deployment.stop(['auth'])).toEqual([0]);
    await deployment.start(['auth']);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('a restarted program refuses the contraction, naming the version to start', async () => {
    await migrate(contracting('auth.app_user'));
    expect(await deployment.stop(['auth'])).toEqual([0]);
    const { code, output } = await deployment.run('auth', []);
    expect(code).toBe(1);
    expect(output).toMatch(
      /newer version has changed the schema of auth \(Narrow1890000000002\); programs before 9\.0\.0 cannot work with it, and this one is .* Start 9\.0\.0 or later, or restore the backup/,
    );
  });
});
