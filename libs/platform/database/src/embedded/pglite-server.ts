import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { vector } from '@electric-sql/pglite-pgvector';
import { retry } from '@acervo/platform-resilience';
import { bootstrapSql } from '../bootstrap';
import { DataDirectoryInUse, lockDirectory } from './lock';
import { Multiplexer } from './multiplexer';

/** Orders of the parent to its database process. */
export interface ServerOrders {
  readonly directory: string;
  /** 0 lets the system choose; restarts keep the chosen port. */
  readonly port: number;
  readonly passwords: Readonly<Record<string, string>>;
  readonly idleInTransactionMs?: number;
}

/** Reports of the database process. */
export type ServerReport =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'in-use'; readonly pid: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'pong' }
  | { readonly kind: 'log'; readonly event: string; readonly details: object };

const report = (message: ServerReport): void => {
  if (process.connected) process.send?.(message);
};

const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 250;

/** Waits for a lock whose owner may be ending: its parent may just have died. */
const lockPatiently = (directory: string): Promise<() => void> =>
  retry(
    async () => lockDirectory(directory),
    (failures, error) => (error instanceof DataDirectoryInUse && failures <= LOCK_TRIES ? LOCK_WAIT_MS : undefined),
  );

/** Bootstraps a cluster once per version of the statements. The note lies in the cluster, so that a copy keeps it. */
const bootstrap = async (engine: PGlite, cluster: string): Promise<void> => {
  const note = join(cluster, 'acervo-bootstrap');
  const digest = createHash('sha256').update(bootstrapSql()).digest('hex');
  if (existsSync(note) && readFileSync(note, 'utf8') === digest) return;
  await engine.exec(bootstrapSql());
  writeFileSync(note, digest);
};

const openEngine = async (directory: string): Promise<PGlite> => {
  const cluster = join(directory, 'cluster');
  mkdirSync(cluster, { recursive: true });
  const engine = await PGlite.create({
    dataDir: cluster,
    extensions: { vector, pg_textsearch },
    relaxedDurability: false,
  });
  await bootstrap(engine, cluster);
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
  // An engine that throws instead of answering is broken for good: the process exits and is restarted on the data on
  // disk.
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
  process.on('message', (message) => {
    if (message === 'ping') report({ kind: 'pong' });
    if (message === 'stop')
      void multiplexer
        .close()
        .then(() => engine.close())
        .finally(() => process.exit(0));
  });
  report({ kind: 'ready', port });
};

// Terminal signals are for the parent, which stops this process in order; without a parent this process ends.
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
