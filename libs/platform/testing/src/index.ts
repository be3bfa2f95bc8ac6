export * from './black-hole';
export * from './hung-mount';
export * from './silent';
export * from './stack';
export * from './test-database';
export * from './test-server';
export * from './tls-server';
export * from './without-limits';
