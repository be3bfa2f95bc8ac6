export * from './codec';
export * from './decorators';
export { type Field, fieldsOf, snakeCase } from './registry';
