export { AcervoClient, type ClientOptions } from './client';
export * from './errors';
export type { components, operations, paths } from './generated/schema';
export { routes } from './generated/routes';
export { type FileHints, type Original, originalOf } from './originals';
export type { Input, OperationId, Output, RequestOptions, Route } from './types';
