export * from './areas';
export * from './calls';
export * from './draft';
export * from './entities';
export * from './parameters';
export * from './profile';
