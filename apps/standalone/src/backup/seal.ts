import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

/** What a sealed file begins with; its digit is the version of the layout. */
export const SEALED = Buffer.from('acervo-sealed-1\n');
const [SALT_BYTES, NONCE_BYTES, TAG_BYTES] = [16, 12, 16] as const;
const ALGORITHM = 'chacha20-poly1305';
/** Some 0.4 s and 128 MB for each guess of a passphrase. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 } as const;
/** One key and nonce seal at most 2^32 blocks of 64 bytes. */
const MOST_BYTES = 2 ** 38 - 64;

/** The passphrase is wrong, or the file was changed or cut. */
export class SealBroken extends Error {}

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize(), salt, 32, COST, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

/** Encrypts a stream under a passphrase: scrypt, then ChaCha20-Poly1305 over the whole, its tag at the end. */
export async function* sealed(content: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const head = Buffer.concat([SEALED, salt, nonce]);
  const cipher = createCipheriv(ALGORITHM, await keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(head, { plaintextLength: 0 });
  yield head;
  let bytes = 0;
  for await (const part of content) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('More than 256 GiB cannot be sealed in one file.');
    yield cipher.update(part);
  }
  yield cipher.final();
  yield cipher.getAuthTag();
}

const HEAD_BYTES = SEALED.length + SALT_BYTES + NONCE_BYTES;

/**
 * Decrypts what `sealed` made. The parts are proved only once the stream has ended: keep what depends on them aside
 * until then.
 * @throws SealBroken at the end, where the passphrase or the content is not what was sealed
 */
export async function* unsealed(content: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  let decipher: ReturnType<typeof decipherOf> | undefined;
  let buffer: Buffer = Buffer.alloc(0);
  for await (const part of content) {
    buffer = Buffer.concat([buffer, part]);
    if (decipher === undefined && buffer.length >= HEAD_BYTES) {
      const head = buffer.subarray(0, HEAD_BYTES);
      decipher = decipherOf(head, await keyOf(passphrase, head.subarray(SEALED.length, SEALED.length + SALT_BYTES)));
      buffer = buffer.subarray(HEAD_BYTES);
    }
    if (decipher === undefined || buffer.length <= TAG_BYTES) continue;
    const sure = buffer.length - TAG_BYTES;
    yield decipher.update(buffer.subarray(0, sure));
    buffer = buffer.subarray(sure);
  }
  if (decipher === undefined || buffer.length !== TAG_BYTES) throw broken();
  decipher.setAuthTag(buffer);
  try {
    yield decipher.final();
  } catch {
    throw broken();
  }
}

const decipherOf = (head: Buffer, key: Buffer) => {
  const nonce = head.subarray(SEALED.length + SALT_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(head, { plaintextLength: 0 });
  return decipher;
};

const broken = (): SealBroken => new SealBroken('The passphrase is not that of the file, or the file is damaged.');
