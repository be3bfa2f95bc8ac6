import type { JWK } from 'jose';
import type { ServiceName } from '@acervo/contracts';
import {
  type Endpoints,
  HttpTransport,
  KeyRegister,
  type KeyRegisterParts,
  ProofMint,
  PublishedKeys,
  ServiceKeys,
} from '@acervo/platform-calls';
import type { BaseConfig } from '@acervo/platform-config';

/** Where services are: one pattern with `{service}` in it, or a list of `name=address`. */
const endpointFrom = (setting: string): Endpoints => {
  if (!setting.includes('=')) return (service) => setting.replace('{service}', service);
  const addresses = new Map(setting.split(',').map((entry) => entry.split('=', 2) as [string, string]));
  return (service) => addresses.get(service) ?? `http://${service}.invalid`;
};

/** The keys that peers publish; the service's own are at hand. */
const peerKeys = (name: string, own: KeyRegister, config: BaseConfig): PublishedKeys =>
  new PublishedKeys(async (service) => {
    if (service === name) return own.published();
    const answer = await fetch(`${endpointFrom(config.internalUrl)(service)}/internal/jwks`, {
      signal: AbortSignal.timeout(3_000),
    });
    if (!answer.ok) throw new Error(`${service} answered ${answer.status}.`);
    return ((await answer.json()) as { keys: JWK[] }).keys;
  });

/** What a process signs with, how others learn of it, and how it learns of theirs. */
export interface ServiceIdentity {
  readonly keys: ServiceKeys;
  /** To be opened before anything that was signed leaves. */
  readonly register: KeyRegister;
  readonly peers: PublishedKeys;
  readonly transport: HttpTransport;
}

export const openIdentity = async (
  service: ServiceName,
  config: BaseConfig,
  parts: Pick<KeyRegisterParts, 'database' | 'logger'>,
): Promise<ServiceIdentity> => {
  const keys = await ServiceKeys.generate();
  const register = new KeyRegister({ service, keys, ...parts });
  return {
    keys,
    register,
    peers: peerKeys(service, register, config),
    transport: new HttpTransport(endpointFrom(config.internalUrl), new ProofMint(service, keys)),
  };
};
