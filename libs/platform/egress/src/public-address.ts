import { isIP } from 'node:net';
import { IPv4, IPv6 } from 'ipaddr.js';

/** The part of IPv6 that is assigned to the internet. What lies outside is unassigned, or contains an IPv4 address. */
export const GLOBAL_UNICAST = IPv6.parseCIDR('2000::/3');
/** Addresses in public ranges at which a provider of machines serves metadata or its own agents. */
export const METADATA = new Set(['168.63.129.16']);

const rangeOf = (address: string): string | null => {
  switch (isIP(address)) {
    case 4:
      return METADATA.has(address) ? 'metadata' : IPv4.parse(address).range();
    case 6: {
      if (address.includes('%')) return 'zone';
      const parsed = IPv6.parse(address);
      const range = parsed.range();
      return range === 'unicast' && !parsed.match(GLOBAL_UNICAST) ? 'unassigned' : range;
    }
    default:
      return null;
  }
};

/** Whether an address of four numbers or of IPv6 belongs to the internet. IPv6 that carries an IPv4 address does not. */
export const isPublicAddress = (address: string): boolean => rangeOf(address) === 'unicast';

/** Whether it is an address of this machine alone. */
export const isLoopbackAddress = (address: string): boolean => rangeOf(address) === 'loopback';
