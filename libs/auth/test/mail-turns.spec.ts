import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { MailOutboxStore } from '../src/mails/mail-outbox.store';
import { authMigrations } from '../src/migrations';

const [MANY, FEW] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

/** Mails of a sender that have been due for so many minutes. */
const DUE = `
insert into auth.mail_outbox (kind, email, invited_to, not_before)
select $1, n || '@example.test', $2, now() - make_interval(mins => $3) from generate_series(1, $4::int) n`;

describe('the outbox of mails', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  });
  afterAll(() => server.close());

  it('groups and recoveries take turns, however many mails one has', async () => {
    const database = server.database('auth');
    const add = (kind: string, group: string | undefined, minutes: number, mails: number): Promise<unknown> =>
      database.ungrouped((tx) => tx.query(DUE, [kind, group ?? null, minutes, mails]));
    await add('INVITACION', MANY, 30, 4);
    await add('INVITACION', FEW, 20, 2);
    await add('RECUPERACION', undefined, 10, 1);
    const store = new MailOutboxStore(database);
    const order: string[] = [];
    for (let mail = await store.claim(); mail !== undefined; mail = await store.claim())
      order.push(mail.invitedTo ?? mail.kind);
    expect(order).toEqual([MANY, FEW, 'RECUPERACION', MANY, FEW, MANY, MANY]);
  });
});
