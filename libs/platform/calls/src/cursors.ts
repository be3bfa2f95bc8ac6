import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, InvalidMeaning } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';

/** The list that a cursor belongs to: who asked which call for what. Filters are whatever narrows the list. */
export interface Listing {
  readonly call: Call;
  readonly scope: Scope;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

const MAC_BYTES = 16;

/**
 * Where a next page of a list begins: the last code of the page before, authenticated. A cursor is worth nothing to
 * another credential, in another list or under other filters, and it grants nothing: each page applies its scope anew.
 */
export class Cursors {
  constructor(private readonly key: Buffer) {}

  seal(listing: Listing, code: string): string {
    return Buffer.concat([this.mac(listing, code), Buffer.from(code, 'utf8')]).toString('base64url');
  }

  /** The code after which the page begins; null for a first page. @throws InvalidMeaning (400) for any other cursor. */
  open(listing: Listing, cursor: string | undefined): string | null {
    if (cursor === undefined) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const code = bytes.subarray(MAC_BYTES).toString('utf8');
    const genuine = bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(listing, code));
    // Two spellings of one cursor would be two cursors: only the one that was given out counts.
    if (!genuine || bytes.toString('base64url') !== cursor) throw new InvalidMeaning(['cursor']);
    return code;
  }

  private mac({ call, scope, filters }: Listing, code: string): Buffer {
    const named = Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const bound = JSON.stringify([call.code, scope.groupId, scope.credentialId, named, code]);
    return createHmac('sha256', this.key).update(bound).digest().subarray(0, MAC_BYTES);
  }
}

/** One row more than asked for tells whether another page follows. */
export const pageOf = <R extends { readonly code: string }>(
  rows: readonly R[],
  limit: number,
  sealed: (code: string) => string,
): { readonly items: readonly R[]; readonly nextCursor: string | null } => {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? sealed(last.code) : null };
};
