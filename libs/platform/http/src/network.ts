import { isIP } from 'node:net';

const GROUPS = 8;
/** Groups of 16 bits in a /64, the smallest network that a provider assigns. */
const NETWORK_GROUPS = 4;
const MAPPED = '0:0:0:0:0:ffff';

/** The eight groups of an address, each in its shortest form. */
const groupsOf = (address: string): string[] => {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = text.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: GROUPS - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
};

const v4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * What a limit counts an address as: of IPv6 the /64, all of whose addresses one host may use; an IPv4 address is
 * counted alone, also where it arrives mapped into IPv6. All other texts count as one.
 */
export const networkOf = (address = ''): string => {
  const [unscoped = ''] = address.split('%');
  const version = isIP(unscoped);
  if (version === 0) return 'unknown';
  if (version === 4) return unscoped;
  const groups = groupsOf(unscoped);
  const [high, low] = groups.slice(6).map((group) => parseInt(group, 16));
  if (groups.slice(0, 6).join(':') === MAPPED) return v4Of(high ?? 0, low ?? 0);
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
};
