import { ownerOf } from '@acervo/contracts';

/** Which of the two servers of an app a path belongs to. */
export type Face = 'public' | 'internal';

const INTERNAL = ['/internal', '/health', '/metrics'];
const PUBLIC_CONTRACT = ['/', '/v1', '/version', '/openapi.json', '/docs'];

const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

export const faceOfPath = (path: string): Face =>
  INTERNAL.some((prefix) => under(path, prefix)) ? 'internal' : 'public';

/** Paths whose errors wear the public English envelope; the others belong to the Spanish internal routes. */
export const isPublicContract = (path: string): boolean =>
  ownerOf(path) === undefined ||
  PUBLIC_CONTRACT.some((prefix) => (prefix === '/' ? path === '/' : under(path, prefix)));

/** API keys work on `/v1` and nowhere else. */
export const servesApiKeys = (path: string): boolean => under(path, '/v1');
