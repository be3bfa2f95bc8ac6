import 'reflect-metadata';
import { type RunningServer, serve } from '@acervo/platform-http';
import { bootService, migrationsOf, type RunningService } from '@acervo/platform-service';
import { openTestDatabase, programEnvironment, type TestDatabase } from '@acervo/platform-testing';
import { app } from '../src/app.module';

describe('the program of chat', () => {
  let db: TestDatabase;
  let service: RunningService;
  let server: RunningServer;

  beforeAll(async () => {
    const { name, migrations } = app.service;
    db = await openTestDatabase({ [name]: migrationsOf(name, migrations) });
    const environment = programEnvironment(db, name);
    service = await bootService(app, { environment, logDestination: { write: () => undefined } });
    server = await serve('internal', service.handler, '127.0.0.1', 0);
  });
  afterAll(async () => {
    await server.close();
    await service.close();
    await db.close();
  });

  it('it starts, and says that it is ready', async () => {
    expect(await service.isReady()).toBe(true);
    for (const path of ['/health/live', '/health/ready'])
      expect((await fetch(`http://127.0.0.1:${server.port}${path}`)).status).toBe(200);
  });
});
