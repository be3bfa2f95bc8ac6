import { WorkSql } from '@acervo/platform-queue';

/** Fragments about the tasks of this service, for statements that join them with its own tables. */
export const work = new WorkSql('ingestion');
