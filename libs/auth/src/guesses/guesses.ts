import { createHash } from 'node:crypto';
import { RateLimited, type Visitor } from '@acervo/contracts';
import type { Counters, Limit } from '@acervo/platform-counters';
import type { Devices } from './devices';

/** Wrong passwords of one account, whoever sends them; a device that its owner has used has a count of its own. */
const PASSWORDS: Limit = { most: 5, seconds: 900 };
/** Wrong codes of one factor. */
const CODES: Limit = { most: 10, seconds: 3_600 };
/** Whatever one address does without a session. */
const ADDRESS: Limit = { most: 60, seconds: 900 };
/** Mails to one address of a person. */
const MAILS: Limit = { most: 3, seconds: 900 };

/** A guess that was counted before it was looked at; a right one is taken back. */
export interface Guess {
  right(): Promise<void>;
}

const short = (text: string): string =>
  createHash('sha256').update(text.toLowerCase()).digest('base64url').slice(0, 27);

/**
 * Counts guesses before they are looked at, all doors together: by account, by factor, by address. Too many delay the
 * next one; nobody is locked out for good, and a known device not even by others' guesses.
 */
export class Guesses {
  constructor(
    private readonly counters: Counters,
    private readonly devices: Devices,
  ) {}

  /** @throws RateLimited */
  async password(email: string, { address, deviceToken }: Visitor): Promise<Guess> {
    const account = short(email);
    const device = this.devices.read(deviceToken, account);
    const names = [`address:${address}`, device === undefined ? `password:${account}` : `device:${device}`] as const;
    await this.take(names[0], ADDRESS);
    await this.take(names[1], PASSWORDS);
    return this.guess(names);
  }

  /** @throws RateLimited */
  async code({ groupId }: { readonly groupId: string }, factorId: string): Promise<Guess> {
    const name = `factor:${groupId}:${factorId}`;
    await this.take(name, CODES);
    return this.guess([name]);
  }

  /** Counts a request that a session is not needed for. @throws RateLimited */
  visit(address: string): Promise<void> {
    return this.take(`address:${address}`, ADDRESS);
  }

  /** Whether one more mail may be sent to a person, known or not. */
  async mayMail(email: string): Promise<boolean> {
    return (await this.counters.take(`mail:${short(email)}`, MAILS)).admitted;
  }

  /** The token that makes a device known to the account of an address. */
  knownDevice(email: string): string {
    return this.devices.issue(short(email));
  }

  private guess(names: readonly string[]): Guess {
    return { right: async () => void (await Promise.all(names.map((name) => this.counters.giveBack(name)))) };
  }

  private async take(name: string, limit: Limit): Promise<void> {
    const { admitted, retryAfterSeconds } = await this.counters.take(name, limit);
    if (!admitted) throw new RateLimited(retryAfterSeconds);
  }
}
