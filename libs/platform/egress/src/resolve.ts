import { Resolver } from 'node:dns/promises';
import { AddressRefused, SiteUnavailable } from './egress.errors';
import { type AllowedTargets, mayConnect, type Target } from './target';

/** The addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

interface NameServers {
  /** Milliseconds; a later try takes longer. */
  readonly timeout: number;
  readonly tries: number;
  /** Those of the system if absent. */
  readonly servers?: readonly string[];
}

/** A silent name server is asked twice, within the time of an exchange. */
export const LIMITS = { timeout: 1_500, tries: 2 } as const;

/**
 * Asks name servers, for addresses of both families; one family without an answer does not hide the other.
 * `dns.lookup` would occupy a thread of the pool that files and cryptography share, for as long as a server is silent.
 * Names of `/etc/hosts` are not found: they are names of the machine, not of the internet.
 */
export const resolveBy =
  ({ servers, ...limits }: NameServers): Resolve =>
  async (host) => {
    // A new one reads the name servers of the system again, which change while a service runs.
    const resolver = new Resolver(limits);
    if (servers !== undefined) resolver.setServers(servers);
    const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    const [failed] = families.filter((family) => family.status === 'rejected');
    if (found.length === 0 && failed !== undefined) throw failed.reason;
    return found;
  };

export const systemResolve: Resolve = resolveBy(LIMITS);

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
