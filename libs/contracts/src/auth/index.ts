export * from './credentials';
export * from './provisioning';
