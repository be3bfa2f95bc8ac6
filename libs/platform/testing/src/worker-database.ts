import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { EmbeddedDatabase } from '@acervo/platform-database';
import { type Baseline, readBaseline, resetTo } from './baseline';
import { type Worker, worker } from './worker';

/** An engine on a directory of its own. */
export interface StartedEngine {
  readonly server: EmbeddedDatabase;
  readonly directory: string;
}

interface Shared extends StartedEngine {
  readonly cluster: string;
  readonly baseline: Baseline;
  /** The suite that uses it; 0 for none. */
  suite: number;
}

const SHARED_DATABASE = 'database';
/** Processes that outlive a suite; `tools/jest/owned-processes.cjs` leaves them alone. */
const LASTING = 'lasting processes';

const discard = async ({ server, directory }: StartedEngine): Promise<void> => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
};

const REMOVE = `require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })`;

/** Removes a directory in a separate process: Jest gives a worker half a second to end. */
const removeLater = (directory: string): void =>
  spawn(process.execPath, ['-e', REMOVE, directory], { detached: true, stdio: 'ignore' }).unref();

/** A copy of the cluster, removed with the worker. */
const share = async (
  { values, onExit }: Worker,
  cluster: string,
  schemas: readonly string[],
  start: () => Promise<StartedEngine>,
): Promise<Shared> => {
  const engine = await start();
  const { server, directory } = engine;
  onExit(() => {
    server.kill();
    removeLater(directory);
  });
  const baseline = await readBaseline((role) => server.connection(role), schemas);
  const shared = { ...engine, cluster, baseline, suite: 0 };
  server.unref();
  values.set(SHARED_DATABASE, shared);
  values.set(LASTING, [() => server.pid]);
  return shared;
};

/** Whether the engine serves this cluster and was reset; an engine that a suite has broken cannot be reset. */
const isReady = async ({ server, cluster, baseline }: Shared, wanted: string): Promise<boolean> => {
  if (cluster !== wanted) return false;
  return resetTo((role) => server.connection(role), baseline).then(
    () => true,
    () => false,
  );
};

/**
 * The engine of this worker, in the state after the migrations of `cluster`. A worker keeps one engine: another cluster
 * replaces it.
 * @returns undefined where the running suite uses it already, or where no worker keeps an engine
 */
export const sharedEngine = async (
  cluster: string,
  schemas: readonly string[],
  start: () => Promise<StartedEngine>,
): Promise<{ readonly server: EmbeddedDatabase; release(): void } | undefined> => {
  const here = worker();
  if (here === undefined) return undefined;
  let shared = here.values.get(SHARED_DATABASE) as Shared | undefined;
  if (shared?.suite === here.suites) return undefined;
  if (shared !== undefined && !(await isReady(shared, cluster))) {
    await discard(shared);
    shared = undefined;
  }
  shared ??= await share(here, cluster, schemas, start);
  const leased = shared;
  leased.suite = here.suites;
  return { server: leased.server, release: () => void (leased.suite = 0) };
};
