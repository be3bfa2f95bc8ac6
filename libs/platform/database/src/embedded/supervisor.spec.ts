import { EventEmitter } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOrder, ServerReport } from './pglite-server';
import { type DatabaseProcess, EmbeddedDatabase } from './supervisor';

/** A process of an engine that records its orders and copies nothing by itself. */
class FakeChild extends EventEmitter {
  connected = true;
  exitCode: number | null = null;
  readonly signalCode = null;
  readonly orders: string[] = [];

  send({ kind }: ServerOrder): void {
    this.orders.push(kind);
  }
}

describe('the copy of an embedded database', () => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-supervisor-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const started = async (): Promise<{ child: FakeChild; database: EmbeddedDatabase }> => {
    const child = new FakeChild();
    const begun: Pick<DatabaseProcess, 'child' | 'hear' | 'stop'> = {
      child: child as unknown as ChildProcess,
      hear: (listener: (report: ServerReport) => void) => listener({ kind: 'ready', port: 1 }),
      stop: () => Promise.resolve(),
    };
    return { child, database: await EmbeddedDatabase.start({ directory, process: begun as DatabaseProcess }) };
  };

  it.each<[string, Partial<Pick<FakeChild, 'connected' | 'exitCode'>>]>([
    ['has ended', { exitCode: 1 }],
    ['is disconnected', { connected: false }],
  ])('the copy of an engine that %s is refused at once', async (_what, change) => {
    const { child, database } = await started();
    Object.assign(child, change);
    await expect(database.copyInto(join(directory, 'copy'))).rejects.toThrow('Repeat the command in a minute');
    expect(child.orders).not.toContain('copy');
    child.exitCode = 1;
    await database.stop();
  });
});
