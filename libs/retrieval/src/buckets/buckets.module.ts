import { Module } from '@nestjs/common';
import { CopiesModule } from '../legs/opensearch/copies/copies.module';
import { BucketKeeper } from './bucket-keeper';

/** The partitions of each group, with their statistics. */
@Module({ imports: [CopiesModule], providers: [BucketKeeper], exports: [BucketKeeper] })
export class BucketsModule {}
