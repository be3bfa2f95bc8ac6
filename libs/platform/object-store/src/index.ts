export * from './directory-object-store';
export * from './object-key';
export * from './object-store';
