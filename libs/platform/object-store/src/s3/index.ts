export { ObjectStoreRefused } from './s3-errors';
export * from './s3-object-store';
