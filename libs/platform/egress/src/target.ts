import { isIP } from 'node:net';
import { AddressRefused } from './egress.errors';
import { isLoopbackAddress, isPublicAddress } from './public-address';

/** What may be asked, beside the default ports of the public internet. */
export interface AllowedTargets {
  readonly ports: ReadonlySet<number>;
  readonly allowsLoopback: boolean;
}

/** An address whose form is checked. What its host resolves to is not known yet. */
export interface Target {
  readonly url: URL;
  /** The name without its last dot, or the address without brackets. */
  readonly host: string;
  readonly isLiteral: boolean;
}

const LONGEST = 2_048;
const LONGEST_NAME = 253;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** URL parsers remove or reinterpret these characters, so that two of them can read different hosts. */
const AMBIGUOUS = /[\p{Cc}\p{Z}\\]/u;
/** Last labels that resolvers of a machine or a network answer by themselves, or that belong to another network. */
const LOCAL_LABELS = new Set(
  'localhost local localdomain internal intranet lan home corp private arpa onion invalid test alt'.split(' '),
);
const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;

/** The address that a text means, alone or on a page; null for one that parsers could read differently. */
export const readAddress = (text: string, page?: URL): URL | null =>
  text.length > LONGEST || AMBIGUOUS.test(text) || !URL.canParse(text, page?.href) ? null : new URL(text, page?.href);

/** Whether an address may be connected to. */
export const mayConnect = (address: string, { allowsLoopback }: AllowedTargets): boolean =>
  isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));

const assertName = (host: string): void => {
  const labels = host.split('.');
  const isName = host.length <= LONGEST_NAME && labels.length > 1 && labels.every((label) => LABEL.test(label));
  if (!isName || LOCAL_LABELS.has(labels.at(-1) ?? '')) throw new AddressRefused('HOST');
};

/**
 * Checks the form of an address. The URL parser of the standard has turned decimal, octal and hexadecimal IPv4 into four
 * numbers and Unicode names into ASCII before anything is compared.
 * @throws AddressRefused
 */
export const targetOf = (text: string, allowed: AllowedTargets): Target => {
  const url = readAddress(text);
  if (url === null) throw new AddressRefused('FORM');
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (defaultPort === undefined) throw new AddressRefused('SCHEME');
  if (url.username !== '' || url.password !== '') throw new AddressRefused('CREDENTIALS');
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (port !== defaultPort && !allowed.ports.has(port)) throw new AddressRefused('PORT');
  url.hash = '';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const isLiteral = isIP(host) !== 0;
  if (!isLiteral) assertName(host);
  else if (!mayConnect(host, allowed)) throw new AddressRefused('FORBIDDEN_NETWORK');
  return { url, host, isLiteral };
};
