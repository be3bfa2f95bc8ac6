import { Module } from '@nestjs/common';
import { GroupProcessesModule } from '../group-processes/group-processes.module';
import { ProcessesModule } from '../processes/processes.module';
import { GroupTasksHandlers } from './group-tasks.handlers';
import { GroupTaskStore } from './group-task.store';

/** The tasks of definitions, in their order. */
@Module({ imports: [ProcessesModule, GroupProcessesModule], providers: [GroupTasksHandlers, GroupTaskStore] })
export class GroupTasksModule {}
