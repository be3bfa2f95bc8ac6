export * from './errors';
export { Extractor } from './extractor';
export * from './reader';
export * from './extractors';
export { cleanText } from './text-encoding';
