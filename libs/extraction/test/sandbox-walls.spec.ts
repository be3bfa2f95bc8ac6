import { fork, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '@acervo/platform-testing';
import { readerCommand } from '../src/sandbox/walls';

type Outcomes = Readonly<Record<string, unknown>>;

const support = join(__dirname, 'support');

/** What a program that runs as a reader does can do. */
const probe = (...args: string[]): Promise<Outcomes> => {
  const { program, args: command } = readerCommand(200);
  const child = spawn(program, [...command.slice(0, -1), join(support, 'wall-probe.cjs'), ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  });
  return new Promise((resolve, reject) => {
    child.once('message', (outcomes) => resolve(outcomes as Outcomes));
    child.once('exit', (code) => reject(new Error(`The probe ended with ${code} before it said anything.`)));
  });
};

/** Whether a process runs; one that has ended and was not yet fetched by its parent does not. */
const runs = (pid: number): boolean => {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
};

describe('a process that reads files', () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const port = (): string => String((server.address() as AddressInfo).port);

  it('a reading process reaches no file, program, thread, server or environment', async () => {
    const { environment, ...attempts } = await probe('sealed', port());
    expect(environment).toEqual([]);
    expect(Object.keys(attempts)).toHaveLength(10);
    expect(Object.values(attempts)).not.toContain('done');
    expect(existsSync(join(support, 'written-by-probe'))).toBe(false);
    expect(requests).toBe(0);
  });

  it('Node permissions and system walls hold even with restored modules', async () => {
    const attempts = await probe('open', port());
    const denied = ['read a file of the system', 'list a folder', 'write a file', 'start a program', 'start a thread'];
    for (const attempt of denied) expect([attempt, attempts[attempt]]).toEqual([attempt, 'ERR_ACCESS_DENIED']);
    if (readerCommand(200).walls.includes('no network')) {
      expect(attempts['connect to a server']).not.toBe('done');
      expect(requests).toBe(0);
    }
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('ends with the process that started it, in the middle of its work', async () => {
    const parent = fork(join(support, 'pool-parent.cjs'), [], { execArgv: [] });
    const pids = await new Promise<number[]>((resolve) =>
      parent.once('message', (message) => resolve(message as number[])),
    );
    expect(pids.filter(runs)).toHaveLength(2);
    parent.kill('SIGKILL');
    await until('the reading processes have ended', () => !pids.some(runs));
  });
});
