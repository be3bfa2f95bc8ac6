export * from './answers';
export * from './app';
export * from './faces';
export * from './guard';
export * from './openapi';
export * from './operations';
export * from './paths';
export * from './problem';
export { Caller, requestIdOf } from './request';
