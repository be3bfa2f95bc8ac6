import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases/databases.module';
import { SecretsModule } from '../secrets/secrets.module';
import { ExpiredRows } from './expired-rows.store';
import { Upkeep } from './upkeep';

/** Recurring upkeep of sign-in. */
@Module({ imports: [DatabasesModule, SecretsModule], providers: [Upkeep, ExpiredRows] })
export class UpkeepModule {}
