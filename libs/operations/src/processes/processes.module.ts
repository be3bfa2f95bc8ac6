import { Module } from '@nestjs/common';
import { AssignedPeopleStore } from './assigned-people.store';
import { AssigneeCheckPlan, AssigneeCheckStage } from './assignee-check.stage';
import { DashboardStore } from './dashboard.store';
import { DefinitionStore } from './definition.store';
import { HandStart } from './hand-start';
import { ProcessesHandlers } from './processes.handlers';
import { ProcessRecords } from './process-records';
import { ProcessRequestsConsumer } from './process-requests.consumer';
import { ProcessStarter } from './process-starter';
import { ProcessStartsHandlers } from './process-starts.handlers';
import { ProcessStore } from './process.store';
import { ProcessTaskStore } from './process-task.store';
import { References } from './references';
import { Calendar, SchedulePlan, ScheduleStage } from './schedule.stage';
import { UserProcessesStore } from './user-processes.store';

/** Work that is started, followed, finished and counted. */
@Module({
  providers: [
    AssignedPeopleStore,
    AssigneeCheckPlan,
    AssigneeCheckStage,
    Calendar,
    DashboardStore,
    DefinitionStore,
    HandStart,
    ProcessesHandlers,
    ProcessRecords,
    ProcessRequestsConsumer,
    ProcessStarter,
    ProcessStartsHandlers,
    ProcessStore,
    ProcessTaskStore,
    References,
    SchedulePlan,
    ScheduleStage,
    UserProcessesStore,
  ],
  exports: [HandStart, ProcessStore, References, SchedulePlan, UserProcessesStore],
})
export class ProcessesModule {}
