export * from './base-config';
export * from './config.module';
export * from './reference';
export * from './release';
export * from './settings';
export * from './versioned-secret';
