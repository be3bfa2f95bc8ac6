import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Peppers } from './peppers';

const [VERSION_BYTES, IV_BYTES, TAG_BYTES] = [2, 12, 16];

/** Marks the version of a text that is bound to its row. Texts of earlier releases are not. */
const BOUND = 0x8000;

const dataOf = (version: Buffer, row: string | null): Buffer => Buffer.concat([version, Buffer.from(row ?? '')]);

/** Encrypts texts that the database stores and that must be read again. Each one names the version of its key. */
export class Seal {
  constructor(
    private readonly peppers: Peppers,
    private readonly purpose: string,
  ) {}

  /** @param row the row of the text: the bytes open in no other one. Null where rows may be exchanged without harm */
  seal(text: string, row: string | null): Buffer {
    const version = Buffer.alloc(VERSION_BYTES);
    version.writeUInt16BE(this.peppers.version | (row === null ? 0 : BOUND));
    const iv = randomBytes(IV_BYTES);
    const key = this.peppers.derive(this.purpose);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(dataOf(version, row));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([version, iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws for changed bytes, for those of another row, or for a key that is no longer configured. */
  open(bytes: Buffer, row: string | null): string {
    const version = bytes.subarray(0, VERSION_BYTES);
    const iv = bytes.subarray(VERSION_BYTES, VERSION_BYTES + IV_BYTES);
    const tag = bytes.subarray(VERSION_BYTES + IV_BYTES, VERSION_BYTES + IV_BYTES + TAG_BYTES);
    const marked = version.readUInt16BE();
    const isBound = (marked & BOUND) !== 0;
    const key = this.peppers.derive(this.purpose, marked & ~BOUND);
    // Without a length, tags of four bytes would count, too.
    const options = { authTagLength: TAG_BYTES };
    const data = dataOf(version, isBound ? row : null);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, options).setAAD(data).setAuthTag(tag);
    const sealed = bytes.subarray(VERSION_BYTES + IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  }
}
