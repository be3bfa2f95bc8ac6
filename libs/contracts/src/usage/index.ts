export * from './charged-entity';
export * from './model-calls';
export * from './period';
export * from './plans';
export * from './usage';
export * from './usage-by-entity';
