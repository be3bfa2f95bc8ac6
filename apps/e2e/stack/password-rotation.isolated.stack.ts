/**
 * Replaces the passwords of the roles of a running program, as docs/operations.md describes ("Rotation").
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseConnection, openPool } from '@acervo/platform-database';
import { describeOnStack, stackPassword, stackVariable } from '@acervo/platform-testing';
import { stackEnvironment } from '../harness/on-stack';
import { temporary } from '../harness/program';
import { until } from '../harness/waiting';
import { Deployment } from './deployment';

const ADMIN = { email: 'ana@example.test', password: 'una clave larga de prueba' };
/** The roles of auth, whose connections all requests, events and relays of the program use. */
const ROLES = ['auth_app', 'auth_directory', 'auth_catalogue', 'auth_relay'];
/** Each sends a request after the answer of the one before: together 20 to 60 a second. */
const [CALLERS, EVERY_MS] = [6, 80];
const newPassword = (role: string): string => `a newer password of ${role}`;

describeOnStack('a program whose passwords are replaced', ['postgres', 'kafka', 'redis'], () => {
  const place = temporary();
  let deployment: Deployment;
  let token = '';

  const admin = async (): Promise<DatabaseConnection> => ({
    host: stackVariable('ACERVO_DATABASE_HOST'),
    port: Number(stackVariable('ACERVO_DATABASE_PORT')),
    database: (await stackEnvironment(place.path))['ACERVO_DATABASE_NAME'] ?? '',
    user: stackVariable('ACERVO_DATABASE_ADMIN_USER'),
    password: stackVariable('ACERVO_DATABASE_ADMIN_PASSWORD'),
    max: 1,
  });
  const asAdmin = async (sql: string): Promise<void> => {
    const pool = openPool(await admin());
    await pool.query(sql).finally(() => pool.end());
  };
  const list = ROLES.map((role) => `'${role}'`).join(', ');
  /** Ends connections that no statement uses: all pools open others. */
  const cutIdle = (): Promise<void> =>
    asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename in (${list}) and state = 'idle'`);
  const secret = (program: string, role: string, ...lines: string[]): void =>
    writeFileSync(join(place.path, program, 'secrets', role), lines.join('\n'));
  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${deployment.urlOf('auth')}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as object), httpStatus: answer.status };
  };

  beforeAll(async () => {
    deployment = await Deployment.make(place.path, join(place.path, 'documents'));
    expect(await deployment.run('migrate', [])).toMatchObject({ code: 0 });
    const { output } = await deployment.run('auth', ['--provision', ADMIN.email]);
    const link = new URL(/https?:\S+establecer-clave\S*/.exec(output)?.[0] ?? '').hash.slice(1);
    for (const role of ROLES) secret('auth', role, newPassword(role), stackPassword(role));
    await deployment.start(['auth']);
    await ask('/auth/establecer-clave', { token: link, password: ADMIN.password });
    token = String((await ask('/auth/login', ADMIN))['access_token']);
  });
  afterAll(async () => {
    for (const role of ROLES) await asAdmin(`alter role ${role} password '${stackPassword(role)}'`);
    await deployment.stop();
    place.remove();
  });

  it('no request fails while migrate gives the roles new passwords', async () => {
    const found: Record<string, unknown>[] = [];
    let isOver = false;
    const caller = async (): Promise<void> => {
      while (!isOver) {
        found.push(await ask('/auth/me'));
        await pause(EVERY_MS);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    await until('requests are answered', () => Promise.resolve(found.length > 20));
    for (const role of ROLES) secret('migrate', role, newPassword(role), stackPassword(role));
    expect(await deployment.run('migrate', [])).toMatchObject({ code: 0 });
    const before = found.length;
    for (let cut = 0; cut < 10; cut += 1) {
      await cutIdle();
      await pause(200);
    }
    await until('requests are answered again', () => Promise.resolve(found.length > before + 100));
    isOver = true;
    await callers;
    expect(found.filter(({ httpStatus }) => httpStatus !== 200)).toEqual([]);
    expect((await ask('/auth/login', ADMIN))['httpStatus']).toBe(200);
  });

  it('a program with the new passwords alone starts', async () => {
    expect(await deployment.stop(['auth'])).toEqual([0]);
    for (const role of ROLES) secret('auth', role, newPassword(role));
    await deployment.start(['auth']);
    expect((await ask('/auth/me'))['httpStatus']).toBe(200);
  });
});
