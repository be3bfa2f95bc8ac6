import { lookup } from 'node:dns/promises';
import { AddressRefused, SiteUnavailable } from './egress.errors';
import { type AllowedTargets, mayConnect, type Target } from './target';

/** The addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks the resolver of the system, once. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The addresses to connect to. One that is not public refuses them all: a name that has both is an attempt to get in.
 * @throws AddressRefused, SiteUnavailable
 */
export const checkedAddresses = async (
  { host, isLiteral }: Target,
  resolve: Resolve,
  allowed: AllowedTargets,
): Promise<readonly [string, ...string[]]> => {
  const addresses = isLiteral
    ? [host]
    : await resolve(host).catch(() => {
        throw new SiteUnavailable('NAME');
      });
  if (!addresses.every((address) => mayConnect(address, allowed))) throw new AddressRefused('FORBIDDEN_NETWORK');
  const [first, ...others] = addresses;
  if (first === undefined) throw new SiteUnavailable('NAME');
  return [first, ...others];
};
