import { availableParallelism } from 'node:os';
import type { Logger } from '@acervo/platform-observability';
import { freePort } from '../supervisor/free-port';
import { E5Process } from './e5-process';

/** The running embedder. Queries have their own process, so that they never wait behind passages. */
export interface E5 {
  readonly url: string;
  readonly queryUrl: string;
  stop(): Promise<void>;
}

/** Passages leave one core to the database and the services, and run at a lower priority than interactive work. */
const PASSAGES_STAND_BACK = 10;

/** Starts both processes. @throws when one of them does not answer. */
export const startE5 = async (python: string, logger: Pick<Logger, 'info' | 'warn'>): Promise<E5> => {
  const cores = availableParallelism();
  const make = async (threads: number, nice: number): Promise<E5Process> =>
    new E5Process({ python, port: await freePort(), threads: Math.max(1, threads), nice, logger });
  const passages = await make(cores - 1, PASSAGES_STAND_BACK);
  const queries = await make(Math.min(2, cores), 0);
  const stop = async (): Promise<void> => void (await Promise.all([passages.stop(), queries.stop()]));
  try {
    await Promise.all([passages.start(), queries.start()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: passages.url, queryUrl: queries.url, stop };
};
