import { WorkSql } from '@acervo/platform-queue';
import { BUILD_STAGE, INDEX_STAGE } from './stages';

/** Fragments about the tasks of this service, for statements that join them with its own tables. */
export const work = new WorkSql('retrieval');

/** The stages that load a generation. */
export const loadingStages = [INDEX_STAGE, BUILD_STAGE] as const;
