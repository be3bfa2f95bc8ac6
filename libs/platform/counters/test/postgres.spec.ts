import { sqlMigration } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { countersSql, PostgresCounters } from '../src';
import { behavesLikeCounters } from './counters.behaviour';

const migrations = { auth: [sqlMigration('Counters1760000000001', countersSql('auth'))] };
let server: TestDatabase;
beforeAll(async () => {
  server = await openTestDatabase(migrations);
}, 60_000);
afterAll(() => server.close());

behavesLikeCounters('PostgreSQL', () => Promise.resolve(new PostgresCounters(server.database('auth'), 'auth')));

describe('counters without their database', () => {
  it('counting without the database rejects', async () => {
    await expect(new PostgresCounters(server.database('auth'), 'gateway').giveBack('anything')).rejects.toThrow();
    await expect(
      new PostgresCounters(server.database('auth'), 'gateway').take('anything', { most: 1, seconds: 1 }),
    ).rejects.toThrow();
  });
});
