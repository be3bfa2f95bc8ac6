import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases/databases.module';
import { TokensModule } from '../tokens/tokens.module';
import { ExpiredRows } from './expired-rows.store';
import { Upkeep } from './upkeep';

/** Recurring upkeep of sign-in. */
@Module({ imports: [DatabasesModule, TokensModule], providers: [Upkeep, ExpiredRows] })
export class UpkeepModule {}
