import { Module } from '@nestjs/common';
import { CorpusHandlers } from './corpus.handlers';
import { CorpusStore } from './corpus.store';

/** The size of what a group has ingested. */
@Module({ providers: [CorpusHandlers, CorpusStore] })
export class CorpusModule {}
