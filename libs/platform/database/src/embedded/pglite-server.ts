import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { vector } from '@electric-sql/pglite-pgvector';
import { bootstrapSql } from '../bootstrap';
import { DataDirectoryInUse, lockDirectory } from './lock';
import { Multiplexer } from './multiplexer';

/** What the parent tells its database process. */
export interface ServerOrders {
  readonly directory: string;
  /** 0 lets the system choose; afterwards the same port is kept across restarts. */
  readonly port: number;
  readonly passwords: Readonly<Record<string, string>>;
  readonly idleInTransactionMs?: number;
}

/** What the database process answers. */
export type ServerReport =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'in-use'; readonly pid: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'pong' }
  | { readonly kind: 'log'; readonly event: string; readonly details: object };

const report = (message: ServerReport): void => {
  if (process.connected) process.send?.(message);
};

/** A lock whose holder is on its way out is waited for: its parent may just have died. */
const lockPatiently = async (directory: string): Promise<() => void> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return lockDirectory(directory);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || attempt >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
};

const openEngine = async (directory: string): Promise<PGlite> => {
  const cluster = join(directory, 'cluster');
  mkdirSync(cluster, { recursive: true });
  const engine = await PGlite.create({
    dataDir: cluster,
    extensions: { vector, pg_textsearch },
    relaxedDurability: false,
  });
  await engine.exec(bootstrapSql());
  return engine;
};

const serve = async (orders: ServerOrders): Promise<void> => {
  const unlock = await lockPatiently(orders.directory);
  process.on('exit', unlock);
  const engine = await openEngine(orders.directory);
  const run = async (batch: Buffer): Promise<Buffer> => {
    const parts: Buffer[] = [];
    await engine.execProtocolRawStream(batch, { onRawData: (data) => void parts.push(Buffer.from(data)) });
    return Buffer.concat(parts);
  };
  // An engine that throws instead of answering is broken for good: leave, and be started again on what is on disk.
  const engineOrExit = (batch: Buffer): Promise<Buffer> =>
    run(batch).catch((error: unknown) => {
      report({ kind: 'failed', message: String(error) });
      process.exit(70);
    });
  const multiplexer = new Multiplexer(
    { run: engineOrExit },
    {
      roles: new Map(Object.entries(orders.passwords)),
      log: (event, details) => report({ kind: 'log', event, details }),
      ...(orders.idleInTransactionMs === undefined ? {} : { idleInTransactionMs: orders.idleInTransactionMs }),
    },
  );
  const port = await multiplexer.listen(orders.port);
  process.on('message', (said) => {
    if (said === 'ping') report({ kind: 'pong' });
    if (said === 'stop')
      void multiplexer
        .close()
        .then(() => engine.close())
        .finally(() => process.exit(0));
  });
  report({ kind: 'ready', port });
};

// Signals of the terminal go to the parent, which stops this process in order; without a parent there is no reason to live.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
process.once('message', (orders) => {
  serve(orders as ServerOrders).catch((error: unknown) => {
    report(
      error instanceof DataDirectoryInUse
        ? { kind: 'in-use', pid: error.pid }
        : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
    );
    process.exit(1);
  });
});
