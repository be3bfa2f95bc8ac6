import { Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module';
import { CatalogueModule } from './catalogue/catalogue.module';
import { ExecutionModule } from './execution/execution.module';
import { GroupProcessesModule } from './group-processes/group-processes.module';
import { GroupTasksModule } from './group-tasks/group-tasks.module';
import { PlansModule } from './plans/plans.module';
import { ProcessesModule } from './processes/processes.module';
import { TransferModule } from './transfer/transfer.module';
import { UpkeepModule } from './upkeep/upkeep.module';
import { UserDeletionModule } from './user-deletion/user-deletion.module';

/** Runs operations of programs and agents by name, and records every write from any route. */
@Module({
  imports: [
    CatalogueModule,
    ExecutionModule,
    AuditModule,
    PlansModule,
    ProcessesModule,
    GroupProcessesModule,
    GroupTasksModule,
    TransferModule,
    UpkeepModule,
    UserDeletionModule,
  ],
})
export class OperationsModule {}
