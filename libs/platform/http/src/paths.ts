import { ownerOf } from '@acervo/contracts';

/** The two servers of an app: each answers its own paths only. */
export type Listener = 'public' | 'internal';

const INTERNAL = ['/internal', '/health', '/metrics'];
const PUBLIC_CONTRACT = ['/', '/app', '/v1', '/mcp', '/version', '/openapi.json', '/docs'];

const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** Whether a path is one of these or below one; `/` has nothing below it. */
const isOneOf = (path: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => (prefix === '/' ? path === '/' : under(path, prefix)));

export const listenerOfPath = (path: string): Listener => (isOneOf(path, INTERNAL) ? 'internal' : 'public');

/** Files and pages that are in memory or on the disk of the program, the same for every caller. */
const FILES = ['/', '/app', '/docs', '/openapi.json'];

/** Whether a path is a file or a page: no engine is asked for it. */
export const isFile = (path: string): boolean => isOneOf(path, FILES);

/** Paths whose errors use the public English envelope; the others belong to the Spanish internal routes. */
export const isPublicContract = (path: string): boolean =>
  ownerOf(path) === undefined || isOneOf(path, PUBLIC_CONTRACT);

/** API keys work on `/v1`, on `/mcp`, which presents calls of `/v1`, and nowhere else. */
export const servesApiKeys = (path: string): boolean => isOneOf(path, ['/v1', '/mcp']);
