import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootService, migrationsOf } from '@acervo/platform-service';
import { describeOnStack, openTestDatabase, stackVariablesOf, type TestDatabase } from '@acervo/platform-testing';
import { authMigrations } from '../src/migrations';
import { environmentOf } from './support/auth';
import { authProgram } from './support/program';

describeOnStack('a service whose topics cannot be used', ['kafka', 'postgres'], () => {
  let server: TestDatabase;
  let directory: string;
  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
    directory = mkdtempSync(join(tmpdir(), 'acervo-auth-'));
  });
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const boot = (partitions: number, prefix: string): ReturnType<typeof bootService> =>
    bootService(authProgram, {
      environment: environmentOf(server, directory, {
        ACERVO_EVENTS: 'kafka',
        ...stackVariablesOf('ACERVO_KAFKA_'),
        ACERVO_KAFKA_PREFIX: prefix,
        ACERVO_KAFKA_PARTITIONS: String(partitions),
      }),
    });

  it('a service with unusable topics does not start', async () => {
    const prefix = `test-${randomUUID().slice(0, 8)}.`;
    await (await boot(2, prefix)).close();
    await expect(boot(3, prefix)).rejects.toThrow(/has 2 partitions where 3 are wanted/);
  });
});
