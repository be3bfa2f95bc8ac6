import { Module } from '@nestjs/common';
import { DraftHandlers } from './draft.handlers';
import { DraftFactsStore } from './draft-facts.store';

/** Drafts of the texts that describe an organisation. */
@Module({ providers: [DraftFactsStore, DraftHandlers] })
export class DraftsModule {}
