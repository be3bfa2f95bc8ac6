import { Injectable } from '@nestjs/common';
import type { DocumentDeleted } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { ClassificationStore } from '../classification/classification.store';
import { DocumentEvents } from '../document-state/document-events';
import { EarlierVectorsStore } from '../document-state/earlier-vectors.store';
import { DocumentSkillStore } from '../skills/document-skill.store';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { ObjectGarbageCollector, OBJECT_COLUMNS, type Released } from '../document-state/object-garbage-collector';

/** Results of a document whose file is missing are kept so long: a share that returns costs nothing. */
const RETENTION = '30 days';
/** Documents that one transaction releases. */
const BATCH = 20;

const values = (row: string): string => `array[${OBJECT_COLUMNS.map((column) => `${row}.${column}`).join(', ')}]`;

/** A file that disappears between its change and the next extraction leaves only its earlier vectors. */
const HAS_OBJECTS = `num_nonnulls(${OBJECT_COLUMNS.map((column) => `m.${column}`).join(', ')}) > 0
  or exists (select from ingestion.earlier_vectors e where e.group_id = $1 and e.document_id = m.document_id)`;

/**
 * Releases the results of documents whose file has been missing for long. Each document keeps its code and place.
 * A file that returns to its place is read again; a file that appears elsewhere is a new document.
 */
@Injectable()
export class LongMissing {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly earlier: EarlierVectorsStore,
    private readonly classifications: ClassificationStore,
    private readonly skills: DocumentSkillStore,
    private readonly documentEvents: DocumentEvents,
  ) {}

  /** Calls `alive` after each batch; answers the number of documents. */
  async release(scope: TenantScope, alive: () => Promise<void>): Promise<number> {
    let released = 0;
    for (let batch = BATCH; batch === BATCH; released += batch) {
      batch = await this.database.write(scope, (tx) => this.releaseSome(tx));
      await alive();
    }
    return released;
  }

  private async releaseSome(tx: Transaction): Promise<number> {
    const rows = await tx.query<Released & DocumentDeleted>(
      `update ingestion.document d set generation = d.generation + 1, revision = d.revision + 1, updated_at = now(),
         ${pipelineOrder.columns.map((column) => `${column} = null`).join(', ')}
       from (select document_id from ingestion.document m
         where m.group_id = $1 and m.status = 'NO_ENCONTRADO' and m.updated_at < now() - interval '${RETENTION}'
           and m.deleted_at is null and (${HAS_OBJECTS})
         order by m.document_id limit ${BATCH} for update) long
       where d.group_id = $1 and d.document_id = long.document_id
       returning d.document_id as "documentId", d.revision, d.code, old.content_hash as "contentHash", ${values('old')} as objects`,
      [tx.groupId],
    );
    const ids = rows.map(({ documentId }) => documentId);
    await this.earlier.forget(tx, ids);
    await this.classifications.forget(tx, ids);
    await this.skills.forget(tx, ids);
    await this.garbageCollector.release(tx, rows, null);
    await this.documentEvents.deleted(tx, rows);
    return rows.length;
  }
}
