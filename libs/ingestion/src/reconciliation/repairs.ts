import { Injectable } from '@nestjs/common';
import { purgeStale } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { WorkSignals, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ObjectGarbageCollector, OBJECT_COLUMNS } from '../document-state/object-garbage-collector';
import { DocumentEvents } from '../document-state/document-events';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { priorityOf } from '../kernel/priority';
import { HAND_OVER } from '../kernel/stages';
import { work } from '../kernel/work-sql';
import type { Compared, Suspicion } from './differences';

interface Restarted {
  readonly generation: number;
  readonly order: number;
}

interface Damaged {
  readonly documentId: string;
  readonly parentId: string | null;
  readonly contentHash: string | null;
  readonly missing: readonly string[];
  readonly objects: Readonly<Record<string, string | null>>;
}

/** The state to restart from, by the column whose object is missing. */
const BEGIN_FROM = {
  original_object: 'DETECTADO',
  text_object: 'ADQUIRIDO',
  chunks_object: 'RESUMIDO',
  vectors_object: 'FRAGMENTADO',
} as const;

const HAS_OPEN_WORK = work.hasOpen({ group: 'd.group_id', subject: 'd.document_id' });

/** Repairs differences with events, tasks and calls. Documents that changed meanwhile are skipped. */
@Injectable()
export class Repairs {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly calls: Calls,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly documentEvents: DocumentEvents,
    private readonly garbageCollector: ObjectGarbageCollector,
  ) {}

  /** Whether a difference was repaired. */
  async repair(scope: WorkScope, { kind, documentId }: Suspicion, compared: Compared): Promise<boolean> {
    const { database, documentEvents, calls } = this;
    const revision = compared.indexed?.revision ?? 0;
    switch (kind) {
      case 'events.parked':
        return false;
      case 'chunks.stale':
      case 'copies.extra':
        await calls.send(purgeStale, scope, { documentIds: [documentId] });
        return true;
      case 'live.unwanted':
        return database.write(scope, (tx) => documentEvents.takeOut(tx, documentId, revision));
      case 'description.differs':
        return database.write(scope, (tx) => this.describe(tx, [compared]));
      case 'work.lost':
        return database.write(scope, (tx) => this.resume(tx, compared));
      default:
        return database.write(scope, (tx) => this.handOverAgain(tx, compared));
    }
  }

  /** Publishes the descriptions of documents that retrieval knows; nothing is extracted or indexed again. */
  async describeAgain(scope: WorkScope, documents: readonly Compared[]): Promise<void> {
    if (documents.length > 0) await this.database.write(scope, (tx) => this.describe(tx, documents));
  }

  /** Repeats the steps whose output objects are missing; answers the number of affected documents. */
  async restore(scope: TenantScope, missing: readonly string[]): Promise<number> {
    const columns = OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ');
    const damaged = await this.database.read(scope, (tx) =>
      tx.query<Damaged>(
        `select d.document_id as "documentId", d.parent_id as "parentId", d.content_hash as "contentHash",
           array(select lost from unnest($2::text[]) as lost where lost in (${columns})) as missing,
           jsonb_build_object(${OBJECT_COLUMNS.map((column) => `'${column}', d.${column}`).join(', ')}) as objects
         from ingestion.document d where d.group_id = $1 and d.deleted_at is null and d.status <> 'NO_ENCONTRADO'
           and (${OBJECT_COLUMNS.map((column) => `d.${column} = any($2::text[])`).join(' or ')})
           and not ${HAS_OPEN_WORK}`,
        [scope.groupId, missing],
      ),
    );
    let restored = 0;
    for (const each of damaged) if (await this.database.write(scope, (tx) => this.restart(tx, each))) restored += 1;
    return restored;
  }

  /** Signals every stage that may have got work from a repair. */
  async notify({ groupId }: TenantScope): Promise<void> {
    for (const { name } of pipelineOrder.stages) await this.workSignals.notify(groupId, name);
  }

  /** The events have a revision above the one that arrived, which may be later than that of this service. */
  private async describe(tx: Transaction, documents: readonly Compared[]): Promise<boolean> {
    const ids = documents.map(({ documentId }) => documentId);
    await tx.query(
      `update ingestion.document d set revision = arrived.revision
       from unnest($2::uuid[], $3::int[]) as arrived (id, revision)
       where d.group_id = $1 and d.document_id = arrived.id and d.revision < arrived.revision`,
      [tx.groupId, ids, documents.map(({ indexed }) => indexed?.revision ?? 0)],
    );
    await this.documentEvents.describe(tx, ids);
    return true;
  }

  /** Resumes a document whose task is lost. */
  private async resume(tx: Transaction, { documentId, believed }: Compared): Promise<boolean> {
    const next = believed === undefined ? undefined : pipelineOrder.milestoneAt(believed.status)?.next;
    const [row] = await tx.query<Restarted>(
      `select generation, ingestion_order as "order" from ingestion.document
       where group_id = $1 and document_id = $2 and generation = $3 and status = $4 and deleted_at is null for update`,
      [tx.groupId, documentId, believed?.generation, believed?.status],
    );
    if (row === undefined || next === undefined) return false;
    await this.begin(tx, documentId, next.name, row);
    return true;
  }

  /**
   * Hands a document over in a new generation, above any that retrieval knows. Its searchable content stays until the
   * new generation is complete. Its vectors are remembered, so nothing is embedded again.
   */
  private async handOverAgain(tx: Transaction, { documentId, believed, indexed }: Compared): Promise<boolean> {
    const [row] = await tx.query<Restarted>(
      `update ingestion.document set status = 'FRAGMENTADO', reason = null, updated_at = now(),
         generation = greatest(generation, $5) + 1, revision = greatest(revision, $6) + 1
       where group_id = $1 and document_id = $2 and generation = $3 and status = $4 and deleted_at is null
         and chunks_object is not null
       returning generation, ingestion_order as "order"`,
      [
        tx.groupId,
        documentId,
        believed?.generation,
        believed?.status,
        indexed?.generation ?? 0,
        indexed?.revision ?? 0,
      ],
    );
    if (row === undefined) return false;
    await this.begin(tx, documentId, HAND_OVER.name, row);
    return true;
  }

  private async restart(
    tx: Transaction,
    { documentId, parentId, contentHash, missing, objects }: Damaged,
  ): Promise<boolean> {
    const lost = OBJECT_COLUMNS.find((column) => missing.includes(objects[column] ?? ''));
    if (lost === undefined) return false;
    // An attachment returns when its carrier is read again.
    if (lost === 'original_object' && parentId !== null) return this.restartCarrier(tx, parentId);
    return this.goBack(tx, { documentId, contentHash, objects }, BEGIN_FROM[lost]);
  }

  private async restartCarrier(tx: Transaction, documentId: string): Promise<boolean> {
    const [row] = await tx.query<Pick<Damaged, 'contentHash' | 'objects'>>(
      `select content_hash as "contentHash",
         jsonb_build_object(${OBJECT_COLUMNS.map((column) => `'${column}', ${column}`).join(', ')}) as objects
       from ingestion.document where group_id = $1 and document_id = $2 and original_object is not null`,
      [tx.groupId, documentId],
    );
    return row === undefined ? false : this.goBack(tx, { documentId, ...row }, 'ADQUIRIDO');
  }

  /**
   * Returns a document to an earlier state in a new generation; its searchable content stays until that one is
   * complete.
   */
  private async goBack(
    tx: Transaction,
    { documentId, contentHash, objects }: Pick<Damaged, 'documentId' | 'contentHash' | 'objects'>,
    status: (typeof BEGIN_FROM)[keyof typeof BEGIN_FROM],
  ): Promise<boolean> {
    const way = pipelineOrder.reversalTo(status);
    if (way === undefined) return false;
    const [row] = await tx.query<Restarted>(
      `update ingestion.document set status = $3, reason = null, retry_on_scan = false, generation = generation + 1,
         revision = revision + 1, updated_at = now(), ${way.discarded.map((column) => `${column} = null`).join(', ')}
       where group_id = $1 and document_id = $2 and deleted_at is null and content_hash is not distinct from $4
       returning generation, ingestion_order as "order"`,
      [tx.groupId, documentId, status, contentHash],
    );
    if (row === undefined) return false;
    const discarded = way.discarded.map((column) => objects[column] ?? null);
    await this.garbageCollector.release(tx, [{ contentHash, objects: discarded }], way.repeated);
    await this.tasks.withdraw(tx, documentId);
    await this.begin(tx, documentId, way.next.name, row);
    return true;
  }

  private begin(tx: Transaction, subjectId: string, stage: string, { generation, order }: Restarted): Promise<void> {
    return this.tasks.enqueue(tx, { subjectId, stage, generation, priority: priorityOf(order) });
  }
}
