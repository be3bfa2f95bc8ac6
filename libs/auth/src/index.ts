export * from './auth-config';
export * from './auth.module';
export * from './auth.service-definition';
export { formatKey, newKeyParts, parseKey } from './keys/key-format';
export { Peppers } from './secrets/peppers';
export * from './migrations';
export { Seal } from './secrets/seal';
export { SigningKeys } from './secrets/signing-keys';
