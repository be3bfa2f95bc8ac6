import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Overloaded } from '@acervo/contracts';
import { FairSemaphore } from '@acervo/platform-resilience';

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, parallelism one. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
const MOST_WAITING = 200;

/**
 * Hashes passwords, a few at a time at most: attempts cannot exhaust the memory or the processors of other requests.
 * Addresses that wait get their comparisons in turns.
 * Without a hash to compare with, the same work is done.
 */
@Injectable()
export class PasswordHasher {
  private readonly nobody = hash(randomBytes(24).toString('base64'), PARAMETERS);
  private readonly semaphore = new FairSemaphore({
    ...{ permits: AT_ONCE, mostWaiting: MOST_WAITING },
    refusal: () => new Overloaded('the comparison of passwords'),
  });

  hash(password: string): Promise<string> {
    return this.semaphore.run(null, () => hash(password, PARAMETERS));
  }

  /**
   * Whether a password matches a hash; false, after the same work, without a hash.
   * @param network the network of the caller, which takes turns with others
   */
  async matches(
    password: string,
    storedHash: string | null | undefined,
    network: string | null = null,
  ): Promise<boolean> {
    const compared = storedHash ?? (await this.nobody);
    const right = await this.semaphore.run(network, () => verify(compared, password));
    return right && typeof storedHash === 'string';
  }
}
