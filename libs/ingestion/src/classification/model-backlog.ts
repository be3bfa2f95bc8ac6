import { Injectable } from '@nestjs/common';
import { ChatModel } from '@acervo/models/chat';
import type { Transaction } from '@acervo/platform-database';
import { BackgroundRuns } from '../background-runs/background-runs';
import { CHOOSES, FINDS } from './model-findings';
import { OpeningVectors } from './opening-vectors';

/** A feature of the type of `document_class c` has a prompt, and no rule found it. */
const LACKS_FEATURES = `exists (select from ingestion.feature f
    join ingestion.feature_category y on y.group_id = f.group_id and y.code = f.category_code
    where f.group_id = c.group_id and btrim(f.prompt) <> '' and c.codes -> 'typeCodes' @> to_jsonb(y.type_code)
      and not exists (select from ingestion.document_feature o where o.group_id = c.group_id
        and o.document_id = c.document_id and o.category_code = f.category_code and o.code = f.code
        and o.source = 'RULE'))`;

const IS_OPEN = `$4 and cardinality(c.candidates) > 0`;

/** The documents that have been handed over, with the first skill that has something to find in each. */
const DUE = `select c.document_id, case when ${IS_OPEN} then '${CHOOSES}' else '${FINDS}' end as skill_code
  from ingestion.document_class c join ingestion.document d using (group_id, document_id)
  where c.group_id = $1 and c.document_id = any($2::uuid[]) and d.handed_over is not null and d.deleted_at is null
    and d.text_object is not null and not (c.awaits_vector and $3)
    and (${IS_OPEN} or ${LACKS_FEATURES})`;

/**
 * Queues what a chat model may add to the classification of documents: runs of skills that no user requested. A document
 * whose type a vector may still change is left to the round that decides it.
 */
@Injectable()
export class ModelBacklog {
  constructor(
    private readonly model: ChatModel,
    private readonly runs: BackgroundRuns,
    private readonly vectors: OpeningVectors,
  ) {}

  /** After the hand-over or another classification of documents, in its transaction; answers the stages that got tasks. */
  enqueue(tx: Transaction, documentIds: readonly string[]): Promise<readonly string[]> {
    return this.request(tx, documentIds, true);
  }

  /** After the choice of a type: what is left are its features. */
  async enqueueFeatures(tx: Transaction, documentId: string): Promise<void> {
    await this.request(tx, [documentId], false);
  }

  private request(tx: Transaction, documentIds: readonly string[], mayChoose: boolean): Promise<readonly string[]> {
    if (!this.model.isConfigured || documentIds.length === 0) return Promise.resolve([]);
    return this.runs.request(tx, { sql: DUE, params: [documentIds, this.vectors.isPossible, mayChoose] });
  }
}
