export * from './address';
export * from './codec';
export * from './decorators';
export * from './json-schema';
export * from './names';
export * from './public-errors';
export { type Field, fieldsOf, snakeCase } from './registry';
export type { Representation } from './representation';
