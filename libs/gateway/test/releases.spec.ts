import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { readConfig } from '@acervo/platform-config';
import { Database } from '@acervo/platform-database';
import type { HttpApp } from '@acervo/platform-http';
import { type AdminCommandContext, migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { gatewayAdminCommands } from '../src/admin-commands/gateway.admin-commands';
import { GatewayConfig } from '../src/gateway.config';
import { gatewayMigrations } from '../src/migrations';
import { CACHED_MS, ReleaseClock, ReleaseService } from '../src/releases/release.service';
import { ReleaseStore } from '../src/releases/release.store';
import { ReleaseTokenGuard } from '../src/releases/release-token';
import { ReleasesController } from '../src/releases/releases.controller';
import { gatewayOf, StubCalls } from './support';

const TOKEN = 'a token of releases';
const release = (version: string, more: object = {}): object => ({
  version,
  ...{ version_min_compatible: '1.0.0', obligatoria: false, notas: 'Novedades.', url_descarga_windows: null },
  url_descarga_macos: 'https://descargas.example.org/acervo.dmg',
  ...{ fecha_publicacion: '2026-01-02T03:04:05.000Z', ...more },
});
const cloud = (version: string, more: object = {}): object => ({
  ...{ version, notas: 'Novedades.', version_min_cliente_compatible: '1.0.0', commit: '0123456789abcdef' },
  ...{ fecha_publicacion: '2026-01-02T03:04:05.000Z', ...more },
});

/** A clock that a test moves. */
class MovedClock extends ReleaseClock {
  at = 0;
  override now(): number {
    return this.at;
  }
}

describe('published releases', () => {
  const clock = new MovedClock();
  const place = mkdtempSync(join(tmpdir(), 'acervo-releases-'));
  let db: TestDatabase;
  let database: Database;
  let gateway: HttpApp;
  let closed: HttpApp;

  const gatewayWith = (token: string): Promise<HttpApp> =>
    gatewayOf([ReleasesController], new StubCalls(), [
      ReleaseService,
      ReleaseStore,
      ReleaseTokenGuard,
      { provide: ReleaseClock, useValue: clock },
      { provide: Database, useValue: database },
      { provide: GatewayConfig, useValue: readConfig(GatewayConfig, { ACERVO_RELEASE_TOKEN: token }) },
    ]);
  beforeAll(async () => {
    db = await openTestDatabase({ gateway: migrationsOf('gateway', gatewayMigrations) });
    database = db.database('gateway');
    [gateway, closed] = [await gatewayWith(TOKEN), await gatewayWith('')];
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), closed.close()]);
    await db.close();
    rmSync(place, { recursive: true });
  });
  beforeEach(async () => {
    await db.asOwner('gateway', 'truncate gateway.client_release, gateway.cloud_release');
    clock.at += CACHED_MS;
  });

  const publish = (body: object, token = TOKEN, at = gateway): request.Test =>
    request(at.handler).post('/version/cliente/publicar').set('x-desktop-release-token', token).send(body);
  const latest = (kind: string): request.Test => request(gateway.handler).get(`/version/${kind}/latest`);
  /** Publishes a version of the service by the admin command; returns what it printed. */
  const publishCloud = async (content: string): Promise<string[]> => {
    const file = join(place, 'cloud.json');
    writeFileSync(file, content);
    const printed: string[] = [];
    const print = (line: string): void => void printed.push(line);
    await gatewayAdminCommands[0]?.execute({ database, value: file, print } as unknown as AdminCommandContext);
    return printed;
  };

  it.each(['cloud', 'cliente'])('without a release %s/latest answers 404 in English', async (kind) => {
    expect((await latest(kind).expect(404)).body).toMatchObject({ code: 'NOT_FOUND', details: {} });
  });

  it('the newest version is semantic, and no pre-release', async () => {
    for (const version of ['1.9.0', '1.10.0', '1.2.30', '2.0.0-beta.1']) await publish(release(version)).expect(200);
    const { body, headers } = await latest('cliente').expect(200);
    expect(body).toEqual(release('1.10.0'));
    expect(headers['cache-control']).toBe('public, max-age=60');
  });

  it('a release is published once: the same content again changes nothing, another is 409', async () => {
    expect((await publish(release('1.0.0')).expect(200)).body).toEqual(release('1.0.0'));
    await publish(release('1.0.0', { fecha_publicacion: '2026-01-02T03:04:05Z' })).expect(200);
    const { body } = await publish(release('1.0.0', { notas: 'Otras.' })).expect(409);
    expect(body).toMatchObject({ code: 'CONFLICT' });
    expect((await latest('cliente').expect(200)).body).toMatchObject({ notas: 'Novedades.' });
  });

  it('parallel publications of one version leave one of them', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((notas) => publish(release('1.0.0', { notas })).then(({ status }) => status)),
    );
    expect(answers.toSorted()).toEqual([200, 409, 409, 409]);
  });

  it.each(['another token', '', `${TOKEN} `.repeat(50)])(
    'the token %j answers 403 before the body is read',
    async (token) => {
      expect((await publish({ nothing: 'valid' }, token).expect(403)).body).toMatchObject({ code: 'FORBIDDEN' });
    },
  );

  it('a request without a token answers 403', async () => {
    await request(gateway.handler).post('/version/cliente/publicar').send(release('1.0.0')).expect(403);
  });

  it('without a configured token every token answers 403', async () => {
    for (const token of ['', TOKEN]) await publish(release('1.0.0'), token, closed).expect(403);
    await latest('cliente').expect(404);
  });

  it('a configured token that could be guessed stops the start', () => {
    const config = readConfig(GatewayConfig, { ACERVO_RELEASE_TOKEN: 'short' });
    expect(() => new ReleaseTokenGuard(config)).toThrow('at least 16 characters');
  });

  it.each<[string, object]>([
    ['version', { version: '1.0' }],
    ['version', { version: '01.0.0' }],
    ['version', { version: '1.0.0-01' }],
    ['version', { version: '1.0.0+build' }],
    ['version_min_compatible', { version_min_compatible: 'x' }],
    ['url_descarga_macos', { url_descarga_macos: 'http://descargas.example.org/a' }],
    ['url_descarga_windows', { url_descarga_windows: 'https://ana@example.org/a' }],
    ['fecha_publicacion', { fecha_publicacion: '2026-02-30T00:00:00Z' }],
    ['fecha_publicacion', { fecha_publicacion: '0000-01-01T00:00:00Z' }],
    ['fecha_publicacion', { fecha_publicacion: 'ayer' }],
  ])('an invalid %s answers 422 and publishes nothing', async (field, more) => {
    const { body } = await publish(release('1.0.0', more)).expect(422);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: { invalid_fields: [field] } });
    await latest('cliente').expect(404);
  });

  it('an unknown or missing field answers 422', async () => {
    await publish(release('1.0.0', { otro: 1 })).expect(422);
    await publish({ version: '1.0.0' }).expect(422);
  });

  it('a release of another process shows after the cache has expired', async () => {
    await publish(release('1.0.0')).expect(200);
    await latest('cliente').expect(200);
    await publish(release('1.1.0'), TOKEN, await gatewayWith(TOKEN)).expect(200);
    expect((await latest('cliente')).body).toMatchObject({ version: '1.0.0' });
    clock.at += CACHED_MS;
    expect((await latest('cliente')).body).toMatchObject({ version: '1.1.0' });
  });

  it('the admin command publishes a version of the service', async () => {
    expect(await publishCloud(JSON.stringify(cloud('3.1.4')))).toEqual(['Version 3.1.4 of the service is published.']);
    await publishCloud(JSON.stringify(cloud('3.1.4')));
    await publishCloud(JSON.stringify(cloud('3.2.0-rc.1')));
    expect((await latest('cloud').expect(200)).body).toEqual(cloud('3.1.4'));
    await latest('cliente').expect(404);
  });

  it.each([
    ['{', /is no JSON file/],
    [JSON.stringify({ ...cloud('1.0.0'), otro: 1 }), /unknown_field_count/],
    [JSON.stringify(cloud('1')), /"invalid_fields":\["version"\]/],
    [JSON.stringify(cloud('1.0.0', { fecha_publicacion: '2026-02-30T00:00:00Z' })), /was not published/],
  ])('the file %s is refused with a reason', async (content, reason) => {
    await expect(publishCloud(content)).rejects.toThrow(reason);
    await latest('cloud').expect(404);
  });

  it('a missing file of a version is refused as unreadable', async () => {
    const context = { database, value: join(place, 'missing.json'), print: () => undefined };
    const publishing = gatewayAdminCommands[0]?.execute(context as unknown as AdminCommandContext);
    await expect(publishing).rejects.toThrow('missing.json was not published: the file cannot be read (ENOENT)');
  });

  it('a published version of the service cannot be replaced', async () => {
    await publishCloud(JSON.stringify(cloud('1.0.0')));
    await expect(publishCloud(JSON.stringify(cloud('1.0.0', { commit: 'x' })))).rejects.toThrow(
      'publish another version',
    );
  });

  it('the service cannot change or delete a release', async () => {
    await publish(release('1.0.0')).expect(200);
    for (const sql of ['delete from gateway.client_release', `update gateway.client_release set notes = ''`])
      await expect(database.ungrouped((tx) => tx.query(sql))).rejects.toThrow('permission denied');
  });
});
