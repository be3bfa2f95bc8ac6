import { hkdfSync } from 'node:crypto';

/** A secret of the server in its versions: the highest is for new data, older ones are for existing data. */
export class VersionedSecret {
  protected readonly byVersion: ReadonlyMap<number, string>;
  readonly version: number;

  /** From `secret`, or from `1:secret,2:secret` once there have been several. @throws for one that is too short. */
  constructor(
    text: string,
    protected readonly setting: string,
  ) {
    const entries = text.split(',').map((entry, index): [number, string] => {
      const found = /^(\d{1,4}):(.+)$/.exec(entry);
      return found === null ? [index + 1, entry] : [Number(found[1]), found[2] ?? ''];
    });
    if (entries.some(([, secret]) => secret.length < 16)) throw new Error(`${setting} needs at least 16 characters.`);
    this.byVersion = new Map(entries);
    this.version = Math.max(...this.byVersion.keys());
  }

  has(version: number): boolean {
    return this.byVersion.has(version);
  }

  /** A key of 256 bits for one purpose; each purpose and version has its own. @throws for an unknown version. */
  derive(purpose: string, version = this.version): Buffer {
    const secret = this.byVersion.get(version);
    if (secret === undefined) throw new Error(`${this.setting} has no version ${version}; add it again.`);
    return Buffer.from(hkdfSync('sha256', secret, 'acervo', purpose, 32));
  }
}
