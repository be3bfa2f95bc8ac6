import { randomBytes, randomUUID } from 'node:crypto';
import { fromBase62, toBase62 } from './base62';

const LENGTHS = { id: 22, secret: 27 } as const;
const SECRET_BYTES = 20;
const TOKEN = /^([a-z]{3})_([0-9A-Za-z]{22})([0-9A-Za-z]{22})_([0-9A-Za-z]{27})$/;

/** The purposes of tokens; a token of one kind is invalid as another. */
export type TokenKind = 'acr' | 'aci' | 'acp';

/** An opaque token with the group under which it is looked up. The group is trusted once the secret fits. */
export interface LocatedToken {
  readonly groupId: string;
  readonly id: string;
  /** 160 bits, stored as its hash alone. */
  readonly secret: string;
  readonly text: string;
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const newToken = (kind: TokenKind, groupId: string): LocatedToken => {
  const [id, secret] = [randomUUID(), toBase62(randomBytes(SECRET_BYTES), LENGTHS.secret)];
  const text = `${kind}_${toBase62(bytesOf(groupId), LENGTHS.id)}${toBase62(bytesOf(id), LENGTHS.id)}_${secret}`;
  return { groupId, id, secret, text };
};

/** The parts of a token, or undefined for a text that is no token of this kind. */
export const parseToken = (kind: TokenKind, text: string): LocatedToken | undefined => {
  const [, prefix, locator = '', name = '', secret = ''] = TOKEN.exec(text) ?? [];
  const [group, id] = [fromBase62(locator, 16), fromBase62(name, 16)];
  if (prefix !== kind || group === undefined || id === undefined) return undefined;
  return { groupId: uuidOf(group), id: uuidOf(id), secret, text };
};
