export * from './boot';
export * from './definition';
export * from './engines';
export * from './migrate';
export * from './run';
export * from './service-config';
export * from './embedding-config';
export * from './text-config';
