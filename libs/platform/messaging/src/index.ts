export * from './consumer';
export * from './embedded-relay';
export * from './failpoints';
export * from './outbox';
export * from './schema';
export * from './subscriptions';
