import { Module } from '@nestjs/common';
import { CorpusHandlers } from './corpus.handlers';
import { CorpusPages } from './corpus-pages';
import { CorpusStore } from './corpus.store';
import { PlanConsumer } from './plan.consumer';
import { ResumeStage } from './resume.stage';

/** Pages of documents, against what the plan of a group includes. */
@Module({
  providers: [CorpusHandlers, CorpusStore, CorpusPages, PlanConsumer, ResumeStage],
  exports: [CorpusStore, CorpusPages],
})
export class CorpusModule {}
