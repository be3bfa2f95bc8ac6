import { CrossesCalls, DomainError } from '@acervo/contracts';
import { AddressRefused, type Egress } from '@acervo/platform-egress';
import { canonicalAddress } from '../web/canonical-address';

/** An address that a user gives is none of a page that may be fetched. */
@CrossesCalls
export class AddressNotFetched extends DomainError {
  readonly code = 'INVALID_REQUEST';
  constructor() {
    super('Give complete addresses of pages of the public internet that begin with https:// or http://.');
  }
}

/** The canonical forms of addresses that a user gives, each once. @throws AddressNotFetched */
export const addressesOf = (egress: Pick<Egress, 'assertAddress'>, texts: readonly string[]): string[] => {
  const addresses = texts.map((text) => {
    try {
      egress.assertAddress(text);
    } catch (error) {
      throw error instanceof AddressRefused ? new AddressNotFetched() : error;
    }
    const address = canonicalAddress(text);
    if (address === null) throw new AddressNotFetched();
    return address;
  });
  return [...new Set(addresses)];
};
