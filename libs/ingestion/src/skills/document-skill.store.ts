import { Injectable } from '@nestjs/common';
import { Conflict, NotFound, type SkillResult, type SkillResultCount } from '@acervo/contracts';
import type { LayerRecord } from '@acervo/models/chat';
import { BackgroundDatabase, Database, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { RUN_SKILL } from '../kernel/stages';
import { BACKGROUND, GENERATION } from '../background-runs/background-runs';
import type { StoredResult } from './citations';
import { productSkill } from './product-skills';
import { IS_GONE } from './skill-sql';
import { SpaceSkillStore } from './spaces/space-skill.store';

/** A run that is to be queued over documents. */
export interface RequestedRun {
  readonly skillCode: string;
  readonly runId: string;
  readonly spaceId: number | null;
  /** The user who sees which space it is. */
  readonly userId: string;
  readonly documentIds: readonly string[];
}

/** One run over one document, with what its worker needs. */
export interface SkillWork {
  readonly workId: string;
  readonly documentId: string;
  readonly runId: string;
  readonly skillCode: string;
  /** No user requested it: it follows a hand-over. */
  readonly isBackground: boolean;
  readonly settingsHash: string;
  readonly entityCode: string;
  readonly textObject: string | null;
  /** Whether steps are about to make its text, for the first time or again. */
  readonly awaitsText: boolean;
}

/** A result with the text that it was made of. */
export interface MadeResult {
  readonly textObject: string;
  readonly version: string;
  readonly key: string;
  readonly result: StoredResult;
  /** The model and the layers of its prompt; null for a result that was found without one. */
  readonly model: string | null;
  readonly layers: readonly LayerRecord[] | null;
}

interface ResultRow extends Omit<SkillResult, 'statements' | 'dropped' | 'omitted' | 'createdAt'> {
  readonly madeAt: Date;
  readonly result: StoredResult;
}

/** Below the documents that are being ingested. */
const PRIORITY = -1;

/** A document before its extraction; a text that it has then is of earlier settings. */
const AWAITS_TEXT = `d.status in ('DETECTADO', 'ADQUIRIDO')`;

/** Runs of skills over documents, and their results: one row for each skill and document. */
@Injectable()
export class DocumentSkillStore {
  constructor(
    private readonly database: Database,
    private readonly background: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly spaces: SpaceSkillStore,
  ) {}

  /**
   * The visible documents among some codes that have their present text, locked against their deletion.
   * @throws NotFound where none is visible, Conflict where none has its text
   */
  async readable(tx: Transaction, visibility: Visibility, codes: readonly string[]): Promise<string[]> {
    const visible = visibilitySql(visibility, 'd', 2);
    const rows = await tx.query<{ documentId: string; hasText: boolean }>(
      `select d.document_id as "documentId", d.text_object is not null and not ${AWAITS_TEXT} and not ${IS_GONE} as "hasText"
       from ingestion.document d
       where d.code = any($1::text[]) and d.deleted_at is null and ${visible.sql}
       order by d.document_id for share of d`,
      [codes, ...visible.params],
    );
    if (rows.length === 0) throw new NotFound();
    const readable = rows.filter(({ hasText }) => hasText).map(({ documentId }) => documentId);
    if (readable.length === 0)
      throw new Conflict('No document of it has a text so far; run the skill when it has one.');
    return readable;
  }

  /** Queues a run. A document on which the skill waits already waits for this run instead. */
  async request(tx: Transaction, { skillCode, runId, spaceId, userId, documentIds }: RequestedRun): Promise<Date> {
    const rows = await tx.query<{ workId: string; requestedAt: Date }>(
      `insert into ingestion.document_skill (group_id, document_id, skill_code, run_id, space_id, requested_by)
       select $1::uuid, unnest($2::uuid[]), $3, $4::uuid, $5::int, $6::uuid
       on conflict (group_id, document_id, skill_code) do update
         set run_id = excluded.run_id, space_id = excluded.space_id, requested_by = excluded.requested_by,
           requested_at = now()
       returning work_id as "workId", requested_at as "requestedAt"`,
      [tx.groupId, documentIds, skillCode, runId, spaceId, userId],
    );
    await this.enqueue(
      tx,
      rows.map(({ workId }) => workId),
    );
    const [row] = rows;
    if (row === undefined) throw new Error('A run was requested over no document.');
    return row.requestedAt;
  }

  /** Queues runs; one that waits already stays as it is. */
  async enqueue(tx: Transaction, workIds: readonly string[], priority = PRIORITY): Promise<void> {
    const task = { stage: RUN_SKILL.name, generation: GENERATION, priority };
    await this.tasks.enqueueAll(
      tx,
      workIds.map((subjectId) => ({ ...task, subjectId })),
    );
  }

  /** Queues a run again that was requested while it was worked on. */
  enqueueAgain(tx: Transaction, { workId, isBackground }: SkillWork): Promise<void> {
    return this.enqueue(tx, [workId], isBackground ? BACKGROUND : PRIORITY);
  }

  /** Deletes work of the background that found nothing to do. */
  async drop(tx: Transaction, { workId }: SkillWork): Promise<void> {
    await tx.prepared(
      `delete from ingestion.document_skill
       where group_id = $1 and work_id = $2 and requested_by is null and result is null`,
      [tx.groupId, workId],
    );
  }

  /** Locks the work against requests, which replace its run; whether its run is still this one or the work is gone. */
  async lockLatest(tx: Transaction, { workId, runId }: SkillWork): Promise<boolean> {
    const [row] = await tx.prepared<{ runId: string }>(
      `select run_id as "runId" from ingestion.document_skill where group_id = $1 and work_id = $2 for update`,
      [tx.groupId, workId],
    );
    return row === undefined || row.runId === runId;
  }

  /** The work of a task; undefined once its document is deleted. */
  async work(scope: TenantScope, workId: string): Promise<SkillWork | undefined> {
    const [row] = await this.background.read(scope, (tx) =>
      tx.prepared<SkillWork>(
        `select s.work_id as "workId", s.document_id as "documentId", s.run_id as "runId", s.skill_code as "skillCode",
           s.requested_by is null as "isBackground", d.settings_hash as "settingsHash", d.entity_code as "entityCode",
           case when not ${IS_GONE} then d.text_object end as "textObject", ${AWAITS_TEXT} as "awaitsText"
         from ingestion.document_skill s
         join ingestion.document d on d.group_id = s.group_id and d.document_id = s.document_id
         where s.group_id = $1 and s.work_id = $2 and d.deleted_at is null`,
        [scope.groupId, workId],
      ),
    );
    return row;
  }

  /** The result that the group has for a key, of whatever document. */
  async find(scope: TenantScope, key: string): Promise<StoredResult | undefined> {
    const [row] = await this.background.read(scope, (tx) =>
      tx.prepared<{ result: StoredResult }>(
        `select result from ingestion.document_skill where group_id = $1 and result_key = $2 limit 1`,
        [scope.groupId, key],
      ),
    );
    return row?.result;
  }

  async save(
    tx: Transaction,
    workId: string,
    { textObject, version, key, result, model, layers }: MadeResult,
  ): Promise<void> {
    await tx.prepared(
      `update ingestion.document_skill set text_object = $3, version = $4, result_key = $5, result = $6::jsonb,
         made_at = now(), model = $7, layers = $8::jsonb, progress = null
       where group_id = $1 and work_id = $2`,
      [tx.groupId, workId, textObject, version, key, JSON.stringify(result), model, layers && JSON.stringify(layers)],
    );
  }

  /** How many documents of the group have a result by a model, of each skill that has any. */
  countByModel(scope: TenantScope): Promise<SkillResultCount[]> {
    return this.database.read(scope, (tx) =>
      tx.query<SkillResultCount>(
        `select skill_code as "skillCode", count(*)::int as documents from ingestion.document_skill
         where group_id = $1 and model is not null group by 1 order by 1`,
        [tx.groupId],
      ),
    );
  }

  /** The results for the present text of a visible document; none for an absent or invisible one. */
  async results(visibility: Visibility, documentCode: string): Promise<SkillResult[]> {
    const visible = visibilitySql(visibility, 'd', 2);
    const rows = await this.database.read(visibility, (tx) =>
      tx.query<ResultRow>(
        `select s.skill_code as "skillCode", s.version, s.run_id as "runId", s.made_at as "madeAt", s.result
         from ingestion.document d
         join ingestion.document_skill s on s.group_id = d.group_id and s.document_id = d.document_id
           and s.text_object = d.text_object
         where d.code = $1 and d.deleted_at is null and not ${IS_GONE} and ${visible.sql}
         order by s.skill_code collate "C"`,
        [documentCode, ...visible.params],
      ),
    );
    // What a skill finds in a document for a space stands in the result of the space; the skills of the pipeline have none.
    const shown = rows.filter(({ skillCode }) => productSkill(skillCode)?.target === 'DOCUMENT');
    return shown.map(({ madeAt, result, ...row }) => ({
      ...row,
      createdAt: madeAt.toISOString(),
      dropped: result.dropped,
      omitted: result.omitted ?? 0,
      statements: result.statements.map(({ citations, ...statement }) => ({
        ...statement,
        citations: citations.map((citation) => ({ documentCode, ...citation })),
      })),
    }));
  }

  /** Deletes runs and results of documents, those of spaces that quote them, and withdraws what waits. */
  async forget(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    const rows = await tx.query<{ workId: string }>(
      `delete from ingestion.document_skill where group_id = $1 and document_id = any($2::uuid[])
       returning work_id as "workId"`,
      [tx.groupId, documentIds],
    );
    for (const { workId } of rows) await this.tasks.withdraw(tx, workId);
    await this.spaces.forgetDocuments(tx, documentIds);
  }
}
