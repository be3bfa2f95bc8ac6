import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Peppers } from './peppers';

const [VERSION_BYTES, IV_BYTES, TAG_BYTES] = [2, 12, 16];

/** Encrypts texts that the database stores and that must be read again. Each one names the version of its key. */
export class Seal {
  constructor(
    private readonly peppers: Peppers,
    private readonly purpose: string,
  ) {}

  seal(text: string): Buffer {
    const version = Buffer.alloc(VERSION_BYTES);
    version.writeUInt16BE(this.peppers.version);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.peppers.derive(this.purpose), iv).setAAD(version);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([version, iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws for changed bytes, or for a key that is no longer configured. */
  open(bytes: Buffer): string {
    const version = bytes.subarray(0, VERSION_BYTES);
    const iv = bytes.subarray(VERSION_BYTES, VERSION_BYTES + IV_BYTES);
    const tag = bytes.subarray(VERSION_BYTES + IV_BYTES, VERSION_BYTES + IV_BYTES + TAG_BYTES);
    const key = this.peppers.derive(this.purpose, version.readUInt16BE());
    // Without a length, tags of four bytes would count, too.
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', key, iv, options).setAAD(version).setAuthTag(tag);
    const sealed = bytes.subarray(VERSION_BYTES + IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  }
}
