import { Module } from '@nestjs/common';
import { ClassificationBacklog } from './classification-backlog';

/** Schedules classifications; it needs nothing of documents, so that whatever changes a taxonomy can import it. */
@Module({ providers: [ClassificationBacklog], exports: [ClassificationBacklog] })
export class ClassificationBacklogModule {}
