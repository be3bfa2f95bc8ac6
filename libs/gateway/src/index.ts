export * from './gateway.module';
export * from './gateway.service-definition';
