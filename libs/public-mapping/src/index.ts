export * from './errors';
export * from './product-texts';
export * from './vocabularies';
export * from './vocabulary';
