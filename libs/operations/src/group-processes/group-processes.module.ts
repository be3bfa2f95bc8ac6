import { Module } from '@nestjs/common';
import { ProcessesModule } from '../processes/processes.module';
import { GroupProcessesHandlers } from './group-processes.handlers';
import { GroupProcessStore } from './group-process.store';

/** Definitions of what a group does again and again. */
@Module({
  imports: [ProcessesModule],
  providers: [GroupProcessesHandlers, GroupProcessStore],
  exports: [GroupProcessStore],
})
export class GroupProcessesModule {}
