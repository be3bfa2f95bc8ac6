export * from './base-config';
export * from './reference';
export * from './settings';
export * from './versioned-secret';
