import { ownerOf } from '@acervo/contracts';

/** The two servers of an app: each answers its own paths only. */
export type Listener = 'public' | 'internal';

const INTERNAL = ['/internal', '/health', '/metrics'];
const PUBLIC_CONTRACT = ['/', '/app', '/v1', '/version', '/openapi.json', '/docs'];

const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

export const listenerOfPath = (path: string): Listener =>
  INTERNAL.some((prefix) => under(path, prefix)) ? 'internal' : 'public';

/** Files and pages that are in memory or on the disk of the program, the same for every caller. */
const FILES = ['/', '/docs', '/openapi.json'];

/** Whether a path is a file or a page: no engine is asked for it. */
export const isFile = (path: string): boolean =>
  FILES.some((prefix) => (prefix === '/' ? path === '/' : under(path, prefix)));

/** Paths whose errors use the public English envelope; the others belong to the Spanish internal routes. */
export const isPublicContract = (path: string): boolean =>
  ownerOf(path) === undefined ||
  PUBLIC_CONTRACT.some((prefix) => (prefix === '/' ? path === '/' : under(path, prefix)));

/** API keys work on `/v1` and nowhere else. */
export const servesApiKeys = (path: string): boolean => under(path, '/v1');
