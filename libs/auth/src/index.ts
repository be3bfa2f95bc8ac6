export * from './auth.service-definition';
export { formatKey, newKeyParts, parseKey } from './keys/key-format';
export * from './migrations';
export * from './auth-config';
