export * from './access';
export * from './envelope';
export * from './kafka-client';
export * from './kafka-transport';
export * from './signatures';
export * from './topics';
