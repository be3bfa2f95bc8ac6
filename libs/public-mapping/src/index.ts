export * from './errors';
export * from './extraction-parts';
export * from './product-texts';
export * from './role-document';
export * from './vocabularies';
export * from './vocabulary';
