import { Module } from '@nestjs/common';
import { QueueController } from './queue.controller';

/** The queue of work on documents. */
@Module({ controllers: [QueueController] })
export class QueueRoutesModule {}
