import { createHmac, timingSafeEqual } from 'node:crypto';
import { VersionedSecret } from '@acervo/platform-config';

/** The server keys that secrets are hashed with, by version; the highest hashes new ones. */
export class Peppers extends VersionedSecret {
  constructor(text: string) {
    super(text, 'ACERVO_KEY_PEPPER');
  }

  hash(secret: string, version = this.version): Buffer {
    return createHmac('sha256', this.byVersion.get(version) ?? 'no such version')
      .update(secret)
      .digest();
  }

  /** Whether a secret matches a hash, in constant time. */
  matches(secret: string, hash: Buffer, version: number): boolean {
    const computed = this.hash(secret, version);
    return hash.length === computed.length && timingSafeEqual(computed, hash);
  }
}
