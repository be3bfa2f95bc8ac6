export * from './credentials';
export * from './errors';
export * from './login';
export * from './passwords';
export * from './provisioning';
export * from './session';
