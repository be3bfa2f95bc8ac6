import { sqlMigration } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { countersSql, PostgresCounters, PostgresRates, ratesSql } from '../src';
import { behavesLikeCounters } from './counters.behaviour';
import { behavesLikeRates } from './rates.behaviour';

const migrations = { auth: [sqlMigration('Counters1760000000001', countersSql('auth') + ratesSql('auth'))] };
let server: TestDatabase;
beforeAll(async () => {
  server = await openTestDatabase(migrations);
}, 60_000);
afterAll(() => server.close());

behavesLikeCounters('PostgreSQL', () => Promise.resolve(new PostgresCounters(server.database('auth'), 'auth')));
behavesLikeRates('PostgreSQL', () => Promise.resolve(new PostgresRates(server.database('auth'), 'auth')));

describe('counters without their database', () => {
  it('counting without the database rejects', async () => {
    await expect(new PostgresCounters(server.database('auth'), 'gateway').giveBack('anything')).rejects.toThrow();
    await expect(
      new PostgresCounters(server.database('auth'), 'gateway').take('anything', { most: 1, seconds: 1 }),
    ).rejects.toThrow();
    await expect(
      new PostgresRates(server.database('auth'), 'gateway').admit([{ name: 'a', rate: { perMinute: 1, burst: 1 } }]),
    ).rejects.toThrow();
  });
});
