export * from './egress';
export * from './egress.config';
export * from './egress.errors';
export type { Connect } from './checked-client';
export { publicRanges } from './public-ranges';
export type { Resolve } from './resolve';
export { SiteToken } from './site-token';
