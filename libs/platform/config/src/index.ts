export * from './base-config';
export * from './settings';
export * from './versioned-secret';
