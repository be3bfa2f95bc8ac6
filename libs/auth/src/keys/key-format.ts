import { createHash, randomBytes } from 'node:crypto';
import { fromBase62, toBase62 } from '../secrets/base62';

const PREFIX = 'acv_';
const VERSION = '1';
const LENGTHS = { locator: 22, id: 12, secret: 27, checksum: 6 } as const;
const SECRET_BYTES = 20;
const KEY = /^acv_1([0-9A-Za-z]{22})([0-9A-Za-z]{12})_([0-9A-Za-z]{27})([0-9A-Za-z]{6})$/;

/** The parts of `acv_<version><group locator><id>_<secret><checksum>`. */
export interface ApiKeyParts {
  readonly groupId: string;
  /** Public: names the key in lists and revocations. */
  readonly keyId: string;
  /** 160 bits, which only the holder of the key knows. */
  readonly secret: string;
}

const checksumOf = (text: string): string =>
  toBase62(createHash('sha256').update(text).digest().subarray(0, 4), LENGTHS.checksum);

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const formatKey = ({ groupId, keyId, secret }: ApiKeyParts): string => {
  const locator = toBase62(Buffer.from(groupId.replaceAll('-', ''), 'hex'), LENGTHS.locator);
  const body = `${PREFIX}${VERSION}${locator}${keyId}_${secret}`;
  return body + checksumOf(body);
};

/** The parts of a key, or undefined for any other text: a mistyped key never costs a look-up. */
export const parseKey = (text: string): ApiKeyParts | undefined => {
  const found = KEY.exec(text);
  if (found === null) return undefined;
  const [, locator = '', keyId = '', secret = '', checksum = ''] = found;
  if (checksumOf(text.slice(0, -LENGTHS.checksum)) !== checksum) return undefined;
  const group = fromBase62(locator, 16);
  return group === undefined ? undefined : { groupId: uuidOf(group), keyId, secret };
};

export const newKeyParts = (groupId: string): ApiKeyParts => ({
  groupId,
  keyId: toBase62(randomBytes(8), LENGTHS.id),
  secret: toBase62(randomBytes(SECRET_BYTES), LENGTHS.secret),
});
