export * from './credentials';
export * from './provisioning';
export * from './session';
