export * from './chunks';
export * from './extracted-text';
export * from './fold';
export * from './languages';
export * from './sentences';
export * from './summary';
export * from './token-count';
export * from './tokens';
