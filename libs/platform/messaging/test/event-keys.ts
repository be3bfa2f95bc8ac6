import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto';

/** A pair of keys for the events of a service. */
export const keyPair = (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The line of a public key in ACERVO_EVENT_KEYS. */
export const lineOf = (service: string, key: KeyObject): string =>
  `${service} ${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;
