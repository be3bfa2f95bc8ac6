import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Secret keys of a service by version: the highest one makes new things, all of them check old ones. */
export class KeyRing {
  private readonly byVersion: ReadonlyMap<number, string>;
  readonly version: number;

  /** From `secret`, or from `1:secret,2:secret` once there have been several. `name` is the setting that they came from. */
  constructor(
    text: string,
    private readonly name: string,
  ) {
    const entries = text.split(',').map((entry, index): [number, string] => {
      const found = /^(\d{1,4}):(.+)$/.exec(entry);
      return found === null ? [index + 1, entry] : [Number(found[1]), found[2] ?? ''];
    });
    if (entries.some(([, secret]) => secret.length < 16)) throw new Error(`${name} needs at least 16 characters.`);
    this.byVersion = new Map(entries);
    this.version = Math.max(...this.byVersion.keys());
  }

  has(version: number): boolean {
    return this.byVersion.has(version);
  }

  hash(secret: string, version = this.version): Buffer {
    return createHmac('sha256', this.byVersion.get(version) ?? 'no such version')
      .update(secret)
      .digest();
  }

  /** Whether a secret is the one behind a hash, in the same time either way. */
  matches(secret: string, hash: Buffer, version: number): boolean {
    const computed = this.hash(secret, version);
    return hash.length === computed.length && timingSafeEqual(computed, hash);
  }

  /** A key of 256 bits for one purpose; each purpose and version has its own. */
  derive(purpose: string, version = this.version): Buffer {
    const secret = this.byVersion.get(version);
    if (secret === undefined) throw new Error(`${this.name} has no version ${version}; add it again.`);
    return Buffer.from(hkdfSync('sha256', secret, 'acervo', purpose, 32));
  }
}
