import { Module } from '@nestjs/common';
import { ProcessesModule } from '../processes/processes.module';
import { TransferModule } from '../transfer/transfer.module';
import { Upkeep } from './upkeep';

/** Recurring upkeep of processes. */
@Module({ imports: [ProcessesModule, TransferModule], providers: [Upkeep] })
export class UpkeepModule {}
