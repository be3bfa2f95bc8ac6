export * from './codec';
export * from './decorators';
export * from './json-schema';
export { type Field, fieldsOf, snakeCase } from './registry';
