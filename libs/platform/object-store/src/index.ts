export * from './directory-object-store';
export * from './object-key';
export * from './object-store';
export { ObjectStoreRefused } from './s3/s3-errors';
export * from './s3/s3-object-store';
