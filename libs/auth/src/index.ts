export * from './auth-config';
export * from './auth.module';
export * from './auth.service-definition';
export { formatKey, newKeyParts, parseKey } from './keys/key-format';
export { Peppers } from './keys/key-hash';
export * from './migrations';
export { Seal } from './tokens/seal';
export { SigningKeys } from './tokens/signing-keys';
