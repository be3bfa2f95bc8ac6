import { createHash } from 'node:crypto';
import { constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { vector } from '@electric-sql/pglite-pgvector';
import { Periodic, QuietLooks, retry } from '@acervo/platform-resilience';
import { bootstrapSql } from '../bootstrap';
import { clusterOf } from './cluster';
import { DataDirectoryInUse, lockDirectory } from './lock';
import { Multiplexer } from './multiplexer';
import type { EngineRuns } from './shared-session';
import { PrivateFiles } from './private-files';

/** Opens the engine; it changes nothing in a cluster that exists, and creates one where there is none. */
export interface OpenOrder {
  readonly kind: 'open';
  readonly directory: string;
}

/** Bootstraps the open cluster and accepts connections. */
export interface ServeOrder {
  readonly kind: 'serve';
  /** 0 lets the system choose; restarts keep the chosen port. */
  readonly port: number;
  /** Path of a Unix socket to listen on as well. */
  readonly socket?: string;
  readonly passwords: Readonly<Record<string, string>>;
  readonly idleInTransactionMs?: number;
}

/** Copies the data files as of one moment into a directory that does not exist. */
export interface CopyOrder {
  readonly kind: 'copy';
  readonly into: string;
}

/** Orders of the parent to its database process, in this order: open, serve, then pings and copies, and stop at any time. */
export type ServerOrder = OpenOrder | ServeOrder | CopyOrder | { readonly kind: 'ping' } | { readonly kind: 'stop' };

/** Reports of the database process. */
export type ServerReport =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'in-use'; readonly pid: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'pong'; readonly runs?: EngineRuns }
  | { readonly kind: 'copied'; readonly at: number; readonly pausedMs: number }
  | { readonly kind: 'not-copied'; readonly message: string }
  | { readonly kind: 'log'; readonly event: string; readonly details: object };

const report = (message: ServerReport): void => {
  if (process.connected) process.send?.(message);
};

let runs: (() => EngineRuns) | undefined;

const pong = (): ServerReport => (runs === undefined ? { kind: 'pong' } : { kind: 'pong', runs: runs() });

const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 250;

/** Waits for a lock whose owner may be ending: its parent may just have died. */
const lockPatiently = (directory: string): Promise<() => void> =>
  retry(
    async () => lockDirectory(directory),
    (failures, error) => (error instanceof DataDirectoryInUse && failures <= LOCK_TRIES ? LOCK_WAIT_MS : undefined),
  );

/** How often it is looked whether a checkpoint is due. */
const CHECKPOINT_EVERY_MS = 1_000;
/** Runs of the engine after which a checkpoint may be due. */
const LITTLE = 100;
/** Looks that are left out while there are fewer runs: a program at rest writes next to nothing. */
const QUIET_LOOKS = 10;

/**
 * What a checkpoint leaves of the log of changes, which only the recovery after a kill reads. A file of it takes as much
 * of the disk as was written, and is deleted once a checkpoint made it needless. Files that are filled beforehand and
 * used again spare a server some waiting for the disk; this engine leaves that to the operating system.
 */
const LIMITS = ['max_wal_size=64MB', 'wal_init_zero=off', 'wal_recycle=off'];

/**
 * Bytes of WebAssembly that a function executes before it is optimised, in place of 1.8 million. A start runs thousands
 * of functions a few times: optimising them takes a third of the CPU time of this process until the first answer. A
 * function that works for a hundredth of a second is optimised: with ten times as much, the first thousand searches
 * take a fifth more of this process. A version of Node without this flag ignores it.
 */
const OPTIMISED_AFTER = 5_000_000;

interface OpenCluster {
  readonly engine: PGlite;
  readonly cluster: string;
}

const openCluster = async (directory: string): Promise<OpenCluster> => {
  // Read when the engine is instantiated.
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMISED_AFTER}`);
  const unlock = await lockPatiently(directory);
  process.on('exit', unlock);
  const cluster = clusterOf(directory);
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  const extensions = { vector, pg_textsearch };
  const startParams = [...PGlite.defaultStartParams, ...LIMITS.flatMap((limit) => ['-c', limit])];
  return {
    engine: await PGlite.create({ fs: new PrivateFiles(cluster), extensions, startParams, relaxedDurability: false }),
    cluster,
  };
};

/** Bootstraps a cluster once per version of the statements. The note lies in the cluster, so that a copy keeps it. */
const bootstrap = async ({ engine, cluster }: OpenCluster): Promise<void> => {
  const note = join(cluster, 'acervo-bootstrap');
  const digest = createHash('sha256').update(bootstrapSql()).digest('hex');
  if (existsSync(note) && readFileSync(note, 'utf8') === digest) return;
  await engine.exec(bootstrapSql());
  writeFileSync(note, digest, { mode: 0o600 });
};

const serve = async (
  open: OpenCluster,
  { port, socket, passwords, idleInTransactionMs }: ServeOrder,
): Promise<Multiplexer> => {
  await bootstrap(open);
  const run = async (batch: Buffer): Promise<Buffer> => {
    const parts: Buffer[] = [];
    await open.engine.execProtocolRawStream(batch, { onRawData: (data) => void parts.push(Buffer.from(data)) });
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
      roles: new Map(Object.entries(passwords)),
      log: (event, details) => report({ kind: 'log', event, details }),
      ...(idleInTransactionMs === undefined ? {} : { idleInTransactionMs }),
    },
  );
  runs = () => multiplexer.runs;
  if (socket !== undefined) await multiplexer.listenOn(socket);
  keepLogShort(multiplexer);
  report({ kind: 'ready', port: await multiplexer.listen(port) });
  return multiplexer;
};

/** Looks for due checkpoints after some work, and after some time where little was done. */
const keepLogShort = (multiplexer: Multiplexer): void => {
  const looks = new QuietLooks(LITTLE, QUIET_LOOKS);
  const look = async (): Promise<void> => {
    if (looks.isDue(multiplexer.runs.statements)) await multiplexer.checkpoint();
  };
  new Periodic(look, { everyMs: CHECKPOINT_EVERY_MS }).start();
};

const fail = (error: unknown): never => {
  report(
    error instanceof DataDirectoryInUse
      ? { kind: 'in-use', pid: error.pid }
      : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
  );
  process.exit(1);
};

/** Copies a directory, its files at the same time: statements wait meanwhile. Where the file system can, it shares blocks. */
const copyTree = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { mode: 0o700 });
  const copyEntry = (name: string, isDirectory: boolean): Promise<void> => {
    const [source, target] = [join(from, name), join(to, name)];
    return isDirectory ? copyTree(source, target) : copyFile(source, target, constants.COPYFILE_FICLONE);
  };
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map((entry) => copyEntry(entry.name, entry.isDirectory())));
};

/** Copies the data files between two statements. */
const copy = async ({ cluster }: OpenCluster, multiplexer: Multiplexer, into: string): Promise<void> => {
  const began = performance.now();
  const at = await multiplexer.whileStill(async () => {
    const moment = Date.now();
    await copyTree(cluster, into);
    return moment;
  });
  report({ kind: 'copied', at, pausedMs: performance.now() - began });
};

let opening: Promise<OpenCluster> | undefined;
let serving: Promise<Multiplexer> | undefined;

/** Ends the process in order, also one that only opened its cluster. */
const stop = async (): Promise<void> => {
  const multiplexer = await serving;
  await multiplexer?.close();
  const open = await opening;
  await open?.engine.close();
};

const execute = (order: ServerOrder): void => {
  if (order.kind === 'ping') return report(pong());
  if (order.kind === 'stop') return void stop().finally(() => process.exit(0));
  if (order.kind === 'copy') {
    Promise.all([opening, serving])
      .then(([open, multiplexer]) => open && multiplexer && copy(open, multiplexer, order.into))
      .catch((error: unknown) => report({ kind: 'not-copied', message: String(error) }));
    return;
  }
  if (order.kind === 'open') {
    opening = openCluster(order.directory);
    opening.catch(fail);
    return;
  }
  serving = opening?.then((open) => serve(open, order));
  serving?.catch(fail);
};

// Terminal signals are for the parent, which stops this process in order; without a parent this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (order) => execute(order as ServerOrder));
