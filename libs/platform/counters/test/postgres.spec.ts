import { sqlMigration } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { countersSql, PostgresCounters, PostgresRates, ratesSql } from '../src';
import { behavesLikeCounters } from './counters.behaviour';
import { behavesLikeRates } from './rates.behaviour';

const migrations = { auth: [sqlMigration('Counters1760000000001', countersSql('auth') + ratesSql('auth'))] };
let server: TestDatabase;
beforeAll(async () => {
  server = await openTestDatabase(migrations);
});
afterAll(() => server.close());

const change = (sql: string) => (name: string, seconds: number) =>
  server.database('auth').ungrouped((tx) => tx.query(`update auth.${sql} where name = $1`, [name, seconds]));

behavesLikeCounters('PostgreSQL', () =>
  Promise.resolve({
    counters: new PostgresCounters(server.database('auth'), 'auth'),
    pass: change(`rate_count set expires_at = expires_at - make_interval(secs => $2),
      hits = array(select hit - make_interval(secs => $2) from unnest(hits) hit)`),
  }),
);
behavesLikeRates('PostgreSQL', () =>
  Promise.resolve({
    rates: new PostgresRates(server.database('auth'), 'auth'),
    pass: change('request_rate set used_up_at = used_up_at - make_interval(secs => $2)'),
  }),
);

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
