import { Module } from '@nestjs/common';
import { ExecutionModule } from '../execution/execution.module';
import { ProcessesModule } from '../processes/processes.module';
import { UserDeletionConsumer } from './user-deletion.consumer';
import { UserDeletionHandlers } from './user-deletion.handlers';

/** What is deleted with a user. */
@Module({ imports: [ExecutionModule, ProcessesModule], providers: [UserDeletionHandlers, UserDeletionConsumer] })
export class UserDeletionModule {}
