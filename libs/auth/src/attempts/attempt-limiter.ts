import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { RateLimited, type ClientInfo } from '@acervo/contracts';
import { Counters, type Limit } from '@acervo/platform-counters';
import { networkOf } from '@acervo/platform-http';
import type { TenantScope } from '@acervo/platform-database';
import { type DeviceOwner, Devices, type KnownDevice } from './devices';

/** Wrong passwords of one account, from any address. A device that its owner has used has a separate count. */
const PASSWORDS: Limit = { most: 5, seconds: 900 };
/** Wrong codes of one factor. */
const CODES: Limit = { most: 10, seconds: 3_600 };
/** Challenges of one session, and of one user over all sessions. */
const CHALLENGES_OF_SESSION: Limit = { most: 20, seconds: 3_600 };
const CHALLENGES_OF_USER: Limit = { most: 60, seconds: 3_600 };
/** Requests of one network address without a session; of IPv6 a /64 is one. */
const ADDRESS: Limit = { most: 60, seconds: 900 };
/** Mails to one mailbox; invitations by administrators are counted apart. */
const MAILS: Limit = { most: 3, seconds: 900 };
/** Invitations that one group sends. */
const INVITATIONS: Limit = { most: 1_000, seconds: 86_400 };

/** An attempt that is counted before its comparison; a correct one is refunded. */
export interface Attempt {
  succeeded(): Promise<void>;
}

/** An invitation that is counted before its mail is stored. */
export interface CountedInvitation {
  refund(): Promise<void>;
}

/** A login by password knows the devices of both kinds. */
const withAndWithoutFactor = ({ userId, passwordEpoch }: DeviceOwner): readonly DeviceOwner[] => [
  { userId, passwordEpoch },
  { userId, passwordEpoch, hasProvedFactor: true },
];

/** A known device has counts of its own, which no other device of the account can use up. */
const laneOf = (device: KnownDevice | undefined): string => (device === undefined ? '' : `:device:${device.slot}`);

/** The mailbox of an address: the one of `ana+news@example.org` is that of `ana@example.org`. */
const mailboxOf = (email: string): string => {
  const [plus, at] = [email.indexOf('+'), email.lastIndexOf('@')];
  return plus < 0 || plus > at ? email : email.slice(0, plus) + email.slice(at);
};

/** Addresses arrive folded: spellings of one address have one count. */
const short = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 27);

/**
 * Counts attempts before they are compared, over all routes: by account, by factor, by address. Too many delay the
 * next one. No account is locked out for good, and attempts of others never delay a known device.
 */
@Injectable()
export class AttemptLimiter {
  constructor(
    private readonly counters: Counters,
    private readonly devices: Devices,
  ) {}

  /**
   * Counts an attempt to log in: of a known device under the device alone, else under account and address.
   * @param owners the users of the address, whose devices may be known
   * @throws RateLimited
   */
  async password(
    email: string,
    { address, deviceToken }: ClientInfo,
    owners: readonly DeviceOwner[],
  ): Promise<Attempt> {
    const device = this.devices.read(deviceToken, owners.flatMap(withAndWithoutFactor));
    const limits: readonly (readonly [string, Limit])[] =
      device === undefined
        ? [
            [`address:${networkOf(address)}`, ADDRESS],
            [`password:${short(email)}`, PASSWORDS],
          ]
        : [[`device:${device.owner.userId}:${device.slot}`, PASSWORDS]];
    for (const [name, limit] of limits) await this.take(name, limit);
    return this.attempt(limits.map(([name]) => name));
  }

  /**
   * Counts a code: of a device that has proved a factor under the device alone.
   * @param factorId as it is stored: every other spelling would have a count of its own
   * @throws RateLimited
   */
  async code({ groupId }: TenantScope, factorId: string, device: KnownDevice | undefined): Promise<Attempt> {
    const name = `factor:${groupId}:${factorId}${laneOf(device)}`;
    await this.take(name, CODES);
    return this.attempt([name]);
  }

  /** Counts a challenge that a session of a user opens; those of a device as for `code`. @throws RateLimited */
  async challenge(
    { groupId }: TenantScope,
    userId: string,
    sessionId: string,
    device: KnownDevice | undefined,
  ): Promise<void> {
    await this.take(`challenge:${groupId}:session:${sessionId}`, CHALLENGES_OF_SESSION);
    await this.take(`challenge:${groupId}:user:${userId}${laneOf(device)}`, CHALLENGES_OF_USER);
  }

  /** The device of a user that has proved a second factor before: the password alone makes none. */
  provenDevice(owner: DeviceOwner, deviceToken: string | null | undefined): KnownDevice | undefined {
    return this.devices.read(deviceToken ?? null, [{ ...owner, hasProvedFactor: true }]);
  }

  /** Counts a request that needs no session. @throws RateLimited */
  visit(address: string): Promise<void> {
    return this.take(`address:${networkOf(address)}`, ADDRESS);
  }

  /** Whether a person may get one more mail, registered or not. */
  async mayMail(email: string, kind: 'mail' | 'invitation'): Promise<boolean> {
    return (await this.counters.take(`${kind}:${short(mailboxOf(email))}`, MAILS)).admitted;
  }

  /** Counts an invitation of a group; one that is not sent after all is refunded. @throws RateLimited */
  async invitation({ groupId }: TenantScope): Promise<CountedInvitation> {
    const name = `invitations:${groupId}`;
    await this.take(name, INVITATIONS);
    return { refund: () => this.counters.giveBack(name) };
  }

  /** The token that makes a device known to a user, as long as the password stays. */
  knownDevice(owner: DeviceOwner): string {
    return this.devices.issue(owner);
  }

  private attempt(names: readonly string[]): Attempt {
    return { succeeded: async () => void (await Promise.all(names.map((name) => this.counters.giveBack(name)))) };
  }

  private async take(name: string, limit: Limit): Promise<void> {
    const { admitted, retryAfterSeconds } = await this.counters.take(name, limit);
    if (!admitted) throw new RateLimited(retryAfterSeconds);
  }
}
