import type { JWK } from 'jose';
import { type ServiceName, services } from '@acervo/contracts';
import { type Endpoints, type KeyRegister, type PeerConnections, PublishedKeys } from '@acervo/platform-calls';

const isService = (name: string): boolean => (services as readonly string[]).includes(name);

/**
 * The address of a sender of calls: from a list of `name=address`, or from one pattern with `{service}` in it. A
 * pattern addresses services only. Otherwise every machine of the network that takes the name of an operator could call
 * as one: an operator has an address where the configuration names it.
 */
const addressFrom = (setting: string, name: string): string | undefined => {
  if (!setting.includes('=')) return isService(name) ? setting.replace('{service}', name) : undefined;
  const addresses = new Map(setting.split(',').map((entry) => entry.split('=', 2) as [string, string]));
  return addresses.get(name);
};

/** Addresses of the services, from the setting `ACERVO_INTERNAL_URL`. */
export const endpointsFrom =
  (setting: string): Endpoints =>
  (service) =>
    addressFrom(setting, service) ?? `http://${service}.invalid`;

const FETCH_MS = 3_000;

/** The keys that peers publish; those of the service itself need no request, and a sender without address has none. */
export const peerKeys = (
  name: ServiceName,
  ownKeys: Pick<KeyRegister, 'published'>,
  { internalUrl }: { readonly internalUrl: string },
  connections: Pick<PeerConnections, 'getJson'>,
): PublishedKeys =>
  new PublishedKeys(async (sender) => {
    if (sender === name) return ownKeys.published();
    const address = addressFrom(internalUrl, sender);
    if (address === undefined) return [];
    return ((await connections.getJson(`${address}/internal/jwks`, FETCH_MS)) as { keys: JWK[] }).keys;
  });
