import { Database, openClient, openPool, prepareServer, runMigrations, sqlMigration } from '../src';
import { adminOf, asAdmin, passwordOf, passwords } from './server-support';
import { failureOf, pause, type Running, startDatabase, until } from './support';

const GROUP = '11111111-1111-4111-8111-111111111111';
const EVERY_MS = 20;
const ROLE = 'chat_app';
/** The old password is the one of all suites; isolated suites run one by one and put it back. */
const [OLD, NEW] = [passwordOf(ROLE), 'another password of chat'];

let db: Running;
beforeAll(async () => {
  db = await startDatabase();
});
afterAll(async () => {
  await prepareServer(adminOf(database()), passwords());
  await db.close();
});

const database = (): string => db.server.connection(ROLE).database;
const give = (password: string): Promise<void> =>
  prepareServer(adminOf(database()), { ...passwords(), [ROLE]: password });

/** Ends the connections that no statement uses, so that pools open others. */
const cutIdle = (): Promise<void> =>
  asAdmin(
    database(),
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = '${database()}' and usename = '${ROLE}' and state = 'idle'`,
  );

/** Statements of a process with these passwords, 50 a second; pools of several connections, cut every 50 ms. */
class Load {
  readonly failures: string[] = [];
  answered = 0;
  private readonly database: Database;
  private running: Promise<void>[] = [];
  private isOver = false;

  constructor(setting: string) {
    this.database = new Database({ ...db.server.connection(ROLE), password: setting, max: 4 });
    this.running = [this.send(), this.cut()];
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
    await this.database.close();
  }

  private async send(): Promise<void> {
    const open: Promise<void>[] = [];
    while (!this.isOver) {
      open.push(this.ask());
      await pause(EVERY_MS);
    }
    await Promise.all(open);
  }

  private async ask(): Promise<void> {
    try {
      await this.database.read({ groupId: GROUP }, (tx) => tx.query('select 1'));
      this.answered += 1;
    } catch (error) {
      this.failures.push(String((error as { code?: string }).code ?? error));
    }
  }

  private async cut(): Promise<void> {
    while (!this.isOver) {
      await cutIdle();
      await pause(50);
    }
  }
}

const underLoad = async (setting: string, work: () => Promise<unknown>): Promise<Load> => {
  const load = new Load(setting);
  await until(() => load.answered > 20);
  await work();
  const reached = load.answered + load.failures.length;
  await until(() => load.answered + load.failures.length > reached + 100);
  await load.stop();
  return load;
};

describe('a password that is replaced under load', () => {
  it('a process with both passwords fails no statement', async () => {
    const load = await underLoad(`${NEW}\n${OLD}`, () => give(NEW));
    expect(load.failures).toEqual([]);
    expect(load.answered).toBeGreaterThan(100);
  });

  it('a process with the old password alone is refused', async () => {
    const pool = openPool({ ...db.server.connection(ROLE), password: OLD });
    expect(await failureOf(pool.query('select 1'))).toBe('28P01');
    await pool.end();
  });

  it('the new password goes back to the old one as well', async () => {
    const load = await underLoad(`${OLD}\n${NEW}`, () => give(OLD));
    expect(load.failures).toEqual([]);
  });

  it('a listener and a migration use the password that the server accepts', async () => {
    const both = { ...db.server.connection('chat_owner'), password: `not yet\n${passwordOf('chat_owner')}` };
    const listener = await openClient(both);
    expect((await listener.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await listener.end();
    const migration = sqlMigration('Rotated1890000000001', 'create table chat.rotated (id int)', { kind: 'expand' });
    expect(await runMigrations(both, 'chat', [migration])).toEqual(['Rotated1890000000001']);
  });

  it('a role whose passwords are all refused fails with the answer of the server', async () => {
    const pool = openPool({ ...db.server.connection(ROLE), password: 'one\ntwo' });
    expect(await failureOf(pool.query('select 1'))).toBe('28P01');
    await pool.end();
  });
});
