import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { DataDirectoryInUse, EmbeddedDatabase, openPool } from '../src';
import { freshDirectory, isRunning, pause, type Running, startDatabase, until } from './support';

const WRITERS = 4;
const ROUNDS = 1;
let db: Running;
let pool: Pool;
/** Of the engines that a test starts itself, one after another: creating one takes longer than such a test. */
let directory: string;

beforeAll(async () => {
  directory = freshDirectory();
  db = await startDatabase();
  await db.run(
    'chat_owner',
    'create table chat.log (id int primary key); grant select, insert on chat.log to chat_app',
  );
  pool = openPool({ ...db.server.connection('chat_app'), max: WRITERS });
});
afterAll(async () => {
  await pool.end();
  await db.close();
  rmSync(directory, { recursive: true, force: true });
});

const kill = (): void => void process.kill(db.server.pid ?? 0, 'SIGKILL');
const answers = (): Promise<boolean> =>
  pool.query('select 1').then(
    () => true,
    () => false,
  );

/** Writes until it is stopped, as a service does; ignores failures and records acknowledged rows. */
const writing = (acknowledged: number[], next: () => number): { stop(): Promise<void> } => {
  let going = true;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (going) {
      const id = next();
      await pool.query('insert into chat.log values ($1)', [id]).then(
        () => acknowledged.push(id),
        () => pause(20),
      );
    }
  });
  return {
    stop: async () => {
      going = false;
      await Promise.all(writers);
    },
  };
};

describe('an engine that is killed', () => {
  it(`${ROUNDS} kill under ${WRITERS} writers loses no acknowledged row, and the engine restarts`, async () => {
    const acknowledged: number[] = [];
    let id = 0;
    const writers = writing(acknowledged, () => (id += 1));
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = acknowledged.length;
      await until(() => acknowledged.length >= before + 200);
      const { pid } = db.server;
      kill();
      await until(() => db.server.pid !== pid);
      await until(answers);
    }
    await writers.stop();
    const { rows } = await pool.query<{ id: number }>('select id from chat.log');
    const there = new Set(rows.map((row) => row.id));
    const lost = acknowledged.filter((each) => !there.has(each)).length;
    expect(lost).toBe(0);
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * 200);
    expect(db.events.filter(({ event }) => event === 'database-restart')).toHaveLength(ROUNDS);
  });
  it('a killed engine keeps its port and its passwords', async () => {
    const before = db.server.connection('chat_app');
    const { pid } = db.server;
    kill();
    await until(() => db.server.pid !== pid);
    await until(answers);
    expect(db.server.connection('chat_app')).toEqual(before);
  });
  it('an engine killed during its start is restarted each time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { pid } = db.server;
      kill();
      await until(() => db.server.pid !== pid);
    }
    await until(answers);
  });
});

describe('a data directory', () => {
  it('a second engine on a data directory is refused', async () => {
    const second = EmbeddedDatabase.start({ directory: db.server.directory });
    await expect(second).rejects.toThrow(DataDirectoryInUse);
    await expect(second).rejects.toMatchObject({ pid: db.server.pid, directory: db.server.directory });
    expect(await answers()).toBe(true);
  });
  it('a data directory is taken over from a dead process', async () => {
    writeFileSync(join(directory, 'lock.json'), JSON.stringify({ pid: 999_999_999, began: '1' }));
    const server = await EmbeddedDatabase.start({ directory });
    expect(JSON.parse(readFileSync(join(directory, 'lock.json'), 'utf8'))).toMatchObject({ pid: server.pid });
    await server.stop();
    expect(existsSync(join(directory, 'lock.json'))).toBe(false);
  });
});

const PARENT = `
  const { EmbeddedDatabase } = require(process.argv[1]);
  EmbeddedDatabase.start({ directory: process.argv[2] }).then((server) => process.stdout.write(String(server.pid)));
  setInterval(() => undefined, 1_000);`;

/** A program with an engine of its own; answers once the engine is ready. */
const program = async (directory: string): Promise<{ parent: ChildProcess; engine: number }> => {
  const compiled = join(__dirname, '..', 'dist', 'embedded', 'supervisor.js');
  const parent = spawn(process.execPath, ['-e', PARENT, compiled, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await new Promise<Buffer>((resolve) => parent.stdout?.once('data', resolve));
  return { parent, engine: Number(output.toString()) };
};

describe('a program that is killed', () => {
  it('a killed program ends its engine', async () => {
    const { parent, engine } = await program(directory);
    expect(isRunning(engine)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isRunning(engine));
    const again = await EmbeddedDatabase.start({ directory });
    await again.stop();
  });
  it('the lock of a program killed with its engine is taken over', async () => {
    const { parent, engine } = await program(directory);
    parent.kill('SIGSTOP');
    process.kill(engine, 'SIGKILL');
    parent.kill('SIGKILL');
    await until(() => !isRunning(engine));
    expect(existsSync(join(directory, 'lock.json'))).toBe(true);
    const again = await EmbeddedDatabase.start({ directory });
    await again.stop();
  });
});

describe('an engine that is stopped', () => {
  it('an engine stopped under a writer keeps acknowledged rows and stays stopped', async () => {
    const options = { directory };
    let server = await EmbeddedDatabase.start(options);
    const owner = openPool({ ...server.connection('chat_owner'), max: 1 });
    await owner.query('create table chat.log (id int primary key)');
    let id = 0;
    const acknowledged: number[] = [];
    const ended = (async () => {
      for (;;) {
        id += 1;
        await owner.query('insert into chat.log values ($1)', [id]);
        acknowledged.push(id);
      }
    })().catch(() => undefined);
    await until(() => acknowledged.length > 50);
    const { pid = 0 } = server;
    await server.stop();
    await ended;
    await owner.end();
    expect(isRunning(pid)).toBe(false);
    server = await EmbeddedDatabase.start(options);
    const again = openPool({ ...server.connection('chat_owner'), max: 1 });
    const { rows } = await again.query<{ id: number }>('select id from chat.log order by id');
    expect(rows.map((row) => row.id).slice(0, acknowledged.length)).toEqual(acknowledged);
    await again.end();
    await server.stop();
  });
});
