export * from './errors';
export * from './extractor';
export * from './extractors';
export { cleanText } from './text-encoding';
