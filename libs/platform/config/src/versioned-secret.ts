import { hkdfSync } from 'node:crypto';
import { Setting } from './settings';

/** The setting of the version of a server key that is for new data; `secret` is the setting of the key. */
export const CurrentVersion = (secret: string): PropertyDecorator =>
  Setting({
    env: `${secret}_CURRENT`,
    default: null,
    type: 'number',
    min: 1,
    max: 9_999,
    description:
      'Version of that key for new data; the highest unless it is set. A version is added to every process before it is current',
  });

/**
 * A secret of the server in its versions. One of them is for new data; the others are for data that exists, or that
 * another process makes: a version is added before it is the one for new data.
 */
export class VersionedSecret {
  protected readonly byVersion: ReadonlyMap<number, string>;
  /** The version for new data. */
  readonly version: number;

  /**
   * From `secret`, or from `1:secret,2:secret` once there have been several.
   * @param current the version for new data; the highest where it is null
   * @throws for a secret that is too short, and for a current version without a secret
   */
  constructor(
    text: string,
    protected readonly setting: string,
    current: number | null = null,
  ) {
    const entries = text.split(',').map((entry, index): [number, string] => {
      const found = /^(\d{1,4}):(.+)$/.exec(entry);
      return found === null ? [index + 1, entry] : [Number(found[1]), found[2] ?? ''];
    });
    if (entries.some(([, secret]) => secret.length < 16)) throw new Error(`${setting} needs at least 16 characters.`);
    this.byVersion = new Map(entries);
    this.version = current ?? Math.max(...this.byVersion.keys());
    if (!this.byVersion.has(this.version))
      throw new Error(
        `${setting}_CURRENT is ${this.version}; ${setting} has ${[...this.byVersion.keys()].join(', ')}.`,
      );
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
