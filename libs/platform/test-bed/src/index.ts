export * from './callers';
export * from './composition';
export * from './no-trail';
export * from './recorded-signals';
export * from './service-test-bed';
export * from './transferred-rows';
