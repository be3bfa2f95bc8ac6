import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Unavailable } from '@acervo/contracts';
import { Semaphore } from '@acervo/platform-resilience';

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, parallelism one. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
const MOST_WAITING = 200;

/**
 * Hashes passwords, a few at a time at most: attempts cannot exhaust the memory or the processors of other requests.
 * Without a hash to compare with, the same work is done.
 */
@Injectable()
export class PasswordHasher {
  private readonly nobody = hash(randomBytes(24).toString('base64'), PARAMETERS);
  private readonly semaphore = new Semaphore({
    ...{ permits: AT_ONCE, mostWaiting: MOST_WAITING },
    refusal: () => new Unavailable('Too many passwords wait to be compared; try later.'),
  });

  hash(password: string): Promise<string> {
    return this.semaphore.run(() => hash(password, PARAMETERS));
  }

  /** Whether a password matches a hash; false, after the same work, without a hash. */
  async matches(password: string, storedHash: string | null | undefined): Promise<boolean> {
    const compared = storedHash ?? (await this.nobody);
    const right = await this.semaphore.run(() => verify(compared, password));
    return right && typeof storedHash === 'string';
  }
}
