import { Injectable } from '@nestjs/common';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Peppers } from '../keys/key-hash';

/** How long a device stays known. */
export const DEVICE_DAYS = 90;
const PURPOSE = 'device';
const TOKEN = /^(\d{1,4})\.(\d{1,12})\.([\w-]{16})\.([\w-]{43})$/;

/**
 * Tokens of devices that have logged in. A token is signed and bound to one account. It gives its device a separate
 * count of attempts, and no other right.
 */
@Injectable()
export class Devices {
  constructor(private readonly peppers: Peppers) {}

  issue(account: string, now = Date.now()): string {
    const expires = Math.floor(now / 1000) + DEVICE_DAYS * 86_400;
    const body = `${this.peppers.version}.${expires}.${randomBytes(12).toString('base64url')}`;
    return `${body}.${this.sign(body, account, this.peppers.version)}`;
  }

  /** The id of a device that is known to this account; undefined for any other text. */
  read(token: string | null, account: string, now = Date.now()): string | undefined {
    const [, version = '', expires = '', id = '', signature = ''] = TOKEN.exec(token ?? '') ?? [];
    if (id === '' || Number(expires) * 1000 < now) return undefined;
    const expected = this.trySign(`${version}.${expires}.${id}`, account, Number(version));
    const received = Buffer.from(signature);
    return expected?.length === received.length && timingSafeEqual(expected, received) ? id : undefined;
  }

  private trySign(body: string, account: string, version: number): Buffer | undefined {
    try {
      return Buffer.from(this.sign(body, account, version));
    } catch {
      return undefined;
    }
  }

  private sign(body: string, account: string, version: number): string {
    return createHmac('sha256', this.peppers.derive(PURPOSE, version)).update(`${account}.${body}`).digest('base64url');
  }
}
