import { isIP } from 'node:net';

const MAPPED = /^::ffff:(?=\d+\.)/i;
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** The groups of an IPv6 address; `::` stands for as many zeros as are missing. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  if (tail === undefined) return [...head];
  return [...head, ...Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0'), ...tail];
};

/**
 * The key that limits count an address under: an IPv4 address as it is, the /64 network of an IPv6 address, because one
 * subscriber has all of it.
 */
export const addressKey = (address: string | undefined): string => {
  const [text = ''] = (address ?? '').replace(MAPPED, '').split('%', 1);
  if (isIP(text) === 0) return 'unknown';
  if (isIP(text) === 4) return text;
  const network = groupsOf(text).slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
