import { createHmac, timingSafeEqual } from 'node:crypto';
import { VersionedSecret } from '@acervo/platform-config';

/** The server keys that secrets are hashed with, by version; the current one hashes new ones. */
export class Peppers extends VersionedSecret {
  /** @param current the version that hashes new secrets; the highest where it is null */
  constructor(text: string, current: number | null = null) {
    super(text, 'ACERVO_KEY_PEPPER', current);
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
