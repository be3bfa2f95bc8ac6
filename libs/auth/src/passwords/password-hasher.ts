import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Unavailable } from '@acervo/contracts';

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
const MOST_WAITING = 200;

/**
 * Hashes passwords, no more than a few at a time: guesses cannot take the memory or the processors of everybody else.
 * Without a hash to compare with, the work is done all the same.
 */
export class PasswordHasher {
  private readonly nobody = hash(randomBytes(24).toString('base64'), PARAMETERS);
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, PARAMETERS));
  }

  /** Whether a password is the one behind a hash; false, after the same work, where there is none. */
  async matches(password: string, known: string | null | undefined): Promise<boolean> {
    const compared = known ?? (await this.nobody);
    const right = await this.inTurn(() => verify(compared, password));
    return right && typeof known === 'string';
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length >= MOST_WAITING)
      throw new Unavailable('Too many passwords wait to be compared; try later.');
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
