import { Module } from '@nestjs/common';
import { PlansModule } from '../plans/plans.module';
import { ProcessesModule } from '../processes/processes.module';
import { TransferModule } from '../transfer/transfer.module';
import { Upkeep } from './upkeep';

/** Recurring upkeep of processes and of calls of chat models. */
@Module({ imports: [PlansModule, ProcessesModule, TransferModule], providers: [Upkeep] })
export class UpkeepModule {}
