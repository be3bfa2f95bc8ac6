import { Module } from '@nestjs/common';
import { EarlierQueueController } from './earlier-queue.controller';
import { QueueController } from './queue.controller';

/** The queue of work on documents. */
@Module({ controllers: [QueueController, EarlierQueueController] })
export class QueueRoutesModule {}
