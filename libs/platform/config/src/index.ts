export * from './base-config';
export * from './settings';
