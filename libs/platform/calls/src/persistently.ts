import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@acervo/contracts';

const TRIES = 16;
const LONGEST_MS = 30_000;
/** A service that ended is there again after a second or two, and on a busy machine after many. */
const waitAfter = (tries: number): number => Math.min(LONGEST_MS, 1_000 * 2 ** Math.max(0, tries - 5));

export interface Persistence {
  /** Whether the result is wanted no more: then the next failure is the last. */
  readonly stopped?: () => boolean;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'INTERNAL_ERROR';

/**
 * Does a piece of work again when an engine or a service went away under it, for some minutes; what the domain refuses
 * stays refused. @throws what the last try failed with
 */
export const persistently = async <T>(
  work: () => Promise<T>,
  { stopped = () => false, wait = pause }: Persistence = {},
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= TRIES || stopped() || isRefusal(error)) throw error;
      for (let left = waitAfter(tries); left > 0 && !stopped(); left -= 1_000) await wait(Math.min(left, 1_000));
    }
  }
};
