import 'reflect-metadata';

export * from './balancer';
export { Cluster } from './cluster/cluster';
export { SERVICES } from './deployment/composed-environments';
export * from './every-migration';
export * from './http-client';
export * from './installation';
export * from './people';
export * from './processes';
export * from './program';
export * from './separate-services';
export * from './tables';
export * from './waiting';
