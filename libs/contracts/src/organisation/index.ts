export * from './areas';
export * from './calls';
export * from './entities';
