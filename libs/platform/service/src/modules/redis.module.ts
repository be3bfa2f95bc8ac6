import { Module } from '@nestjs/common';
import { RedisAccess } from './redis-access';

/** Redis for the adapters that store something there. */
@Module({ providers: [RedisAccess], exports: [RedisAccess] })
export class RedisModule {}
