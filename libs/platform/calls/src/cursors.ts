import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, InvalidMeaning } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';

/** The list that a cursor belongs to: call, credential and every value that narrows the list. */
export interface Listing {
  readonly call: Call;
  readonly scope: Scope;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** Keys by version; `derive` throws for an unknown version. */
export interface CursorKeys {
  readonly version: number;
  derive(purpose: string, version?: number): Buffer;
}

const VERSION_BYTES = 2;
const MAC_BYTES = 16;
const CODE_AT = VERSION_BYTES + MAC_BYTES;

/**
 * The position of a next page: the last code of the page before, authenticated. A cursor is invalid for another
 * credential, in another list or under other filters. It grants nothing: each page applies its scope again.
 */
export class Cursors {
  constructor(private readonly keys: CursorKeys) {}

  seal(listing: Listing, code: string): string {
    const version = Buffer.alloc(VERSION_BYTES);
    version.writeUInt16BE(this.keys.version);
    const mac = this.mac(listing, code, this.keys.version);
    return Buffer.concat([version, mac, Buffer.from(code, 'utf8')]).toString('base64url');
  }

  /** The code after which the page begins; null for a first page. @throws InvalidMeaning (400) for any other cursor. */
  open(listing: Listing, cursor: string | undefined): string | null {
    if (cursor === undefined) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const code = bytes.subarray(CODE_AT).toString('utf8');
    const genuine = bytes.length > CODE_AT && this.isGenuine(listing, code, bytes);
    // base64url has several spellings of the same bytes; only the issued one is valid.
    if (!genuine || bytes.toString('base64url') !== cursor) throw new InvalidMeaning(['cursor']);
    return code;
  }

  private isGenuine(listing: Listing, code: string, bytes: Buffer): boolean {
    try {
      const mac = this.mac(listing, code, bytes.readUInt16BE());
      return timingSafeEqual(bytes.subarray(VERSION_BYTES, CODE_AT), mac);
    } catch {
      // The version never existed or is retired.
      return false;
    }
  }

  private mac({ call, scope, filters }: Listing, code: string, version: number): Buffer {
    const named = Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const bound = JSON.stringify([call.code, scope.groupId, scope.credentialId, named, code]);
    return createHmac('sha256', this.keys.derive('cursor', version)).update(bound).digest().subarray(0, MAC_BYTES);
  }
}

/** Cuts a page from its rows: one row more than the limit means that another page follows. */
export const pageOf = <R extends { readonly code: string }>(
  rows: readonly R[],
  limit: number,
  sealed: (code: string) => string,
): { readonly items: readonly R[]; readonly nextCursor: string | null } => {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? sealed(last.code) : null };
};
