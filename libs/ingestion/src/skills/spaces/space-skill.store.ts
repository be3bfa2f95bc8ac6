import { Injectable } from '@nestjs/common';
import type { SpaceSkillResult } from '@acervo/contracts';
import { BackgroundDatabase, Database, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { GENERATION } from '../../background-runs/background-runs';
import { REDUCE_SKILL, RUN_SKILL } from '../../kernel/stages';
import { work } from '../../kernel/work-sql';
import type { StoredResult } from '../citations';
import type { MadeResult, RequestedRun } from '../document-skill.store';
import { IS_GONE } from '../skill-sql';
import type { Digest } from './digest';

/** A run over a space; `documentIds` are the documents of it that its user sees. */
export interface RequestedSpaceRun extends RequestedRun {
  readonly spaceId: number;
}

/** One run over a space, with what its worker needs. */
export interface SpaceWork {
  readonly workId: string;
  readonly runId: string;
  readonly spaceId: number;
  readonly skillCode: string;
  readonly documentIds: readonly string[];
}

/** What the skill found in the present text of one document. */
export interface FoundInDocument {
  readonly documentId: string;
  readonly revision: number;
  readonly textObject: string;
  readonly entityCode: string;
  readonly result: StoredResult;
}

/** A document that a result cites: as it was, and which text it had. */
interface Source {
  readonly documentId: string;
  readonly revision: number;
  readonly textObject: string;
}

/** A result as it is stored. */
interface StoredDigest extends Digest {
  readonly sources: readonly Source[];
}

/** A result with what it was made of. */
export interface MadeDigest extends Pick<MadeResult, 'version' | 'key' | 'model' | 'layers'> {
  readonly result: StoredDigest;
}

interface ResultRow extends Pick<SpaceSkillResult, 'skillCode' | 'version' | 'runId'> {
  readonly madeAt: Date;
  readonly citedIds: readonly string[];
  readonly result: StoredDigest;
}

interface SeenDocument {
  readonly documentId: string;
  readonly code: string;
  readonly textObject: string | null;
}

/** After the documents of the run. */
const PRIORITY = -2;

const HAS_PIECE = work.hasOpen({ group: 's.group_id', subject: 's.work_id', stages: [RUN_SKILL] });
const IS_READ = `d.deleted_at is null and d.text_object is not null and not ${IS_GONE}`;

/** The documents `d` of a run and their work `s`: `$1` is the group, `$2` the skill, `$3` the documents. */
const OF_RUN = `from ingestion.document d join ingestion.document_skill s
    on s.group_id = d.group_id and s.document_id = d.document_id and s.skill_code = $2
  where d.group_id = $1 and d.document_id = any($3::uuid[]) and ${IS_READ}`;

/** A result with the codes of its documents; undefined unless its reader sees each one with the text that is quoted. */
const shownTo = (
  { madeAt, citedIds: _, result, ...row }: ResultRow,
  seen: ReadonlyMap<string, SeenDocument>,
): SpaceSkillResult | undefined => {
  const { sources, statements, dropped, omitted } = result;
  if (sources.some(({ documentId, textObject }) => seen.get(documentId)?.textObject !== textObject)) return undefined;
  const codeOf = (documentId: string): string => seen.get(documentId)?.code ?? '';
  return {
    ...{ ...row, dropped, omitted, createdAt: madeAt.toISOString() },
    derivedFrom: sources.map(({ documentId, revision }) => ({ documentCode: codeOf(documentId), revision })),
    statements: statements.map(({ citations, ...statement }) => ({
      ...statement,
      citations: citations.map(({ documentId, ...citation }) => ({ documentCode: codeOf(documentId), ...citation })),
    })),
  };
};

/** Runs of skills over spaces, and their results: one row for each skill and space. */
@Injectable()
export class SpaceSkillStore {
  constructor(
    private readonly database: Database,
    private readonly background: BackgroundDatabase,
    private readonly tasks: Tasks,
  ) {}

  /** Queues what follows the documents of a run. A skill that waits over the space already waits for this run instead. */
  async request(tx: Transaction, run: RequestedSpaceRun): Promise<void> {
    const { spaceId, skillCode, runId, documentIds, userId } = run;
    const rows = await tx.query<{ workId: string }>(
      `insert into ingestion.space_skill (group_id, space_id, skill_code, run_id, document_ids, requested_by)
       values ($1, $2, $3, $4, $5, $6) on conflict (group_id, space_id, skill_code) do update
         set run_id = excluded.run_id, document_ids = excluded.document_ids, requested_by = excluded.requested_by,
           requested_at = now()
       returning work_id as "workId"`,
      [tx.groupId, spaceId, skillCode, runId, documentIds, userId],
    );
    for (const { workId } of rows) await this.enqueue(tx, workId);
  }

  enqueue(tx: Transaction, subjectId: string): Promise<void> {
    return this.tasks.enqueueAll(tx, [
      { stage: REDUCE_SKILL.name, generation: GENERATION, priority: PRIORITY, subjectId },
    ]);
  }

  /** The work of a task; undefined once its space is deleted. */
  async work(scope: TenantScope, workId: string): Promise<SpaceWork | undefined> {
    const [row] = await this.background.read(scope, (tx) =>
      tx.prepared<SpaceWork>(
        `select work_id as "workId", run_id as "runId", space_id as "spaceId", skill_code as "skillCode",
           document_ids as "documentIds"
         from ingestion.space_skill where group_id = $1 and work_id = $2`,
        [scope.groupId, workId],
      ),
    );
    return row;
  }

  /** What was found in the documents of a run, by their code; null while some of them are still to be worked. */
  found(scope: TenantScope, { skillCode, documentIds }: SpaceWork): Promise<FoundInDocument[] | null> {
    const params = [scope.groupId, skillCode, documentIds];
    return this.background.read(scope, async (tx) => {
      // A run waits for a thousand documents perhaps; their results are read once.
      const [row] = await tx.query<{ isOpen: boolean }>(
        `select exists (select ${OF_RUN} and ${HAS_PIECE}) as "isOpen"`,
        params,
      );
      if (row?.isOpen === true) return null;
      return tx.query<FoundInDocument>(
        `select d.document_id as "documentId", d.revision, d.text_object as "textObject",
           d.entity_code as "entityCode", s.result ${OF_RUN}
           and s.text_object = d.text_object and s.result is not null order by d.code collate "C"`,
        params,
      );
    });
  }

  /** Locks the work against requests, which replace its run; whether its run is still this one or the work is gone. */
  async lockLatest(tx: Transaction, { workId, runId }: SpaceWork): Promise<boolean> {
    const [row] = await tx.query<{ runId: string }>(
      `select run_id as "runId" from ingestion.space_skill where group_id = $1 and work_id = $2 for update`,
      [tx.groupId, workId],
    );
    return row === undefined || row.runId === runId;
  }

  /** The result that the group has for a key, of whatever space; earlier versions of the skill leave keys behind. */
  async find(scope: TenantScope, key: string, version: string): Promise<Digest | undefined> {
    const [row] = await this.background.read(scope, (tx) =>
      tx.prepared<{ result: StoredDigest }>(
        `select result from ingestion.space_skill where group_id = $1 and result_key = $2 and version = $3 limit 1`,
        [scope.groupId, key, version],
      ),
    );
    return row?.result;
  }

  async save(tx: Transaction, { workId, runId }: SpaceWork, made: MadeDigest): Promise<void> {
    const { version, key, model, layers, result } = made;
    const citedIds = result.sources.map(({ documentId }) => documentId);
    await tx.query(
      `update ingestion.space_skill set made_by_run = $3, version = $4, cited_ids = $5::uuid[], result = $6::jsonb,
         made_at = now(), result_key = $7, model = $8, layers = $9::jsonb, progress = null
       where group_id = $1 and work_id = $2`,
      [
        tx.groupId,
        workId,
        runId,
        version,
        citedIds,
        JSON.stringify(result),
        key,
        model,
        layers && JSON.stringify(layers),
      ],
    );
  }

  /** The results over a space that one reader may see: none that cites a document that is hidden or has another text. */
  results(visibility: Visibility, spaceId: number): Promise<SpaceSkillResult[]> {
    return this.database.read(visibility, async (tx) => {
      const rows = await tx.query<ResultRow>(
        `select skill_code as "skillCode", version, made_by_run as "runId", made_at as "madeAt",
           cited_ids as "citedIds", result
         from ingestion.space_skill where group_id = $1 and space_id = $2 and result is not null
         order by skill_code collate "C"`,
        [tx.groupId, spaceId],
      );
      if (rows.length === 0) return [];
      const seen = await this.seen(
        tx,
        visibility,
        rows.flatMap(({ citedIds }) => citedIds),
      );
      return rows.flatMap((row) => shownTo(row, seen) ?? []);
    });
  }

  private async seen(
    tx: Transaction,
    visibility: Visibility,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, SeenDocument>> {
    const visible = visibilitySql(visibility, 'd', 2);
    const rows = await tx.query<SeenDocument>(
      `select d.document_id as "documentId", d.code, d.text_object as "textObject" from ingestion.document d
       where d.document_id = any($1::uuid[]) and ${IS_READ} and ${visible.sql}`,
      [ids, ...visible.params],
    );
    return new Map(rows.map((row) => [row.documentId, row]));
  }

  /**
   * Deletes the results that quote one of some documents, and what a model has read of them. The run of a row may have
   * other documents than its progress; progress that names none is of a release before.
   */
  async forgetDocuments(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    await tx.query(
      `update ingestion.space_skill set result = null, cited_ids = null, made_by_run = null, version = null, made_at = null,
         result_key = null, model = null, layers = null
       where group_id = $1 and cited_ids && $2::uuid[]`,
      [tx.groupId, documentIds],
    );
    await tx.query(
      `update ingestion.space_skill set progress = null
       where group_id = $1 and progress is not null
         and (progress->'documentIds' ?| $2::text[] or (not progress ? 'documentIds' and document_ids && $2::uuid[]))`,
      [tx.groupId, documentIds],
    );
  }

  /** Deletes runs and results over a space, and withdraws what waits. */
  async forgetSpaces(tx: Transaction, spaceIds: readonly number[]): Promise<void> {
    const rows = await tx.query<{ workId: string }>(
      `delete from ingestion.space_skill where group_id = $1 and space_id = any($2::int[]) returning work_id as "workId"`,
      [tx.groupId, spaceIds],
    );
    for (const { workId } of rows) await this.tasks.withdraw(tx, workId);
  }
}
