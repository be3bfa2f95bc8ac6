export * from './base-config';
export * from './key-ring';
export * from './settings';
