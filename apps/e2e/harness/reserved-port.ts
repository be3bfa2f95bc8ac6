import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worker } from '@acervo/platform-testing';
import { freePort as anyFreePort } from '@acervo/standalone/free-port';

/** One file for each port that a process of this machine keeps for its programs; it contains the id of that process. */
const RESERVED = join(tmpdir(), 'acervo-ports');

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Whether the file of a port was created by this call. */
const reserve = (file: string): boolean => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
};

const isLeft = (file: string): boolean => {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // An empty file is being written.
    return pid > 0 && !runs(pid);
  } catch {
    return false;
  }
};

const RESERVED_BY_WORKER = 'reserved ports';
const outsideOfWorkers = new Map<string, unknown>();

/** The files of this process; its end removes them. */
const reservedFiles = (): Set<string> => {
  const { values, onExit } = worker() ?? {
    values: outsideOfWorkers,
    onExit: (work: () => void): void => void process.once('exit', work),
  };
  const existing = values.get(RESERVED_BY_WORKER) as Set<string> | undefined;
  if (existing !== undefined) return existing;
  const files = new Set<string>();
  values.set(RESERVED_BY_WORKER, files);
  onExit(() => files.forEach((file) => rmSync(file, { force: true })));
  return files;
};

/**
 * A port of loopback that is free now and that no other suite gets while this process runs: programs bind it later, and
 * again at each start.
 */
export const freePort = async (): Promise<number> => {
  mkdirSync(RESERVED, { recursive: true });
  for (;;) {
    const port = await anyFreePort();
    const file = join(RESERVED, String(port));
    if (isLeft(file)) rmSync(file, { force: true });
    if (!reserve(file)) continue;
    reservedFiles().add(file);
    return port;
  }
};
