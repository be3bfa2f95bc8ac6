import { Injectable } from '@nestjs/common';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DEVICE_DAYS } from '../kernel/client-info';
import { Peppers } from '../secrets/peppers';

/** The user of a device, and when the password was set that the device has logged in with. */
export interface DeviceOwner {
  readonly userId: string;
  readonly passwordEpoch: string;
  /** Whether the login of the device proved a second factor, too. */
  readonly hasProvedFactor?: boolean;
}

/** A device whose token is genuine, and the count of its attempts. */
export interface KnownDevice {
  readonly owner: DeviceOwner;
  readonly slot: number;
}

/** Devices of a user share so many counts of attempts: more devices do not give more tries. */
const MOST_COUNTS = 10;
const PURPOSE = 'device';
const TOKEN = /^(\d{1,4})\.(\d{1,12})\.([\w-]{16})\.([\w-]{43})$/;

/**
 * Tokens of devices that have logged in. A token is signed and bound to a user and to the password of that login: a new
 * password makes every device unknown. It gives its device a separate count of attempts, and no other right.
 */
@Injectable()
export class Devices {
  constructor(private readonly peppers: Peppers) {}

  issue(owner: DeviceOwner, now = Date.now()): string {
    const expires = Math.floor(now / 1000) + DEVICE_DAYS * 86_400;
    const body = `${this.peppers.version}.${expires}.${randomBytes(12).toString('base64url')}`;
    return `${body}.${this.sign(body, owner, this.peppers.version)}`;
  }

  /** The device of a token that is known to one of these users; undefined for any other text. */
  read(token: string | null, owners: readonly DeviceOwner[], now = Date.now()): KnownDevice | undefined {
    const [, version = '', expires = '', id = '', signature = ''] = TOKEN.exec(token ?? '') ?? [];
    if (id === '' || Number(expires) * 1000 < now) return undefined;
    const received = Buffer.from(signature);
    const owner = owners.find((each) => {
      const expected = this.trySign(`${version}.${expires}.${id}`, each, Number(version));
      return expected?.length === received.length && timingSafeEqual(expected, received);
    });
    return owner && { owner, slot: createHash('sha256').update(id).digest().readUInt16BE() % MOST_COUNTS };
  }

  private trySign(body: string, owner: DeviceOwner, version: number): Buffer | undefined {
    try {
      return Buffer.from(this.sign(body, owner, version));
    } catch {
      return undefined;
    }
  }

  private sign(body: string, { userId, passwordEpoch, hasProvedFactor }: DeviceOwner, version: number): string {
    const bound = `${userId}.${passwordEpoch}.${hasProvedFactor === true ? 'factor.' : ''}${body}`;
    return createHmac('sha256', this.peppers.derive(PURPOSE, version)).update(bound).digest('base64url');
  }
}
