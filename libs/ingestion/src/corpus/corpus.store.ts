import { Injectable } from '@nestjs/common';
import type { LimitAction } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { CHUNK, QUOTA } from '../kernel/stages';
import { work } from '../kernel/work-sql';
import { isGone, pagesOf } from './corpus-sql';

/** A document before its chunks: its text is read, and its pages may be stored already or not. */
export interface Candidate {
  readonly documentId: string;
  readonly generation: number;
  readonly pages: number;
}

/** What a plan says of the corpus. */
export interface CorpusLimit {
  readonly included: number | null;
  readonly onLimit: LimitAction;
}

/** The pages of a group, those of its entities, and the limit that documents meet. */
export interface CountedCorpus extends CorpusLimit {
  readonly used: number;
  /** False before the first plan. */
  readonly isLimitKnown: boolean;
  readonly byEntity: ReadonlyMap<string, number>;
}

/** A document that waits for free pages. */
export interface SuspendedDocument {
  readonly documentId: string;
  readonly pages: number;
  /** It was let go on, and has not begun. */
  readonly isDue: boolean;
}

/** Whether pages are left; null is no limit. Every document that waits has at least one page. */
export const areLeft = (left: number | null): boolean => left === null || left > 0;

/** A condition on a row \`c\` of \`ingestion.corpus\`: so many more pages fit. */
const fits = (pages: string): string =>
  `(c.included is null or c.on_limit = 'ALLOW' or c.pages + ${pages} <= c.included)`;

/** Documents \`d\` that wait for free pages, with their tasks \`t\`. */
const SUSPENDED = `ingestion.document d ${work.joinOpen({
  ...{ group: 'd.group_id', subject: 'd.document_id', generation: 'd.generation', stages: [CHUNK] },
})} and t.status = 'WAITING' and t.reason = '${QUOTA}'`;

/** Most documents that one look at the waiting ones lets go on. */
const AT_ONCE = 500;

/** Pages of the documents of a group, against its limit. */
@Injectable()
export class CorpusStore {
  /**
   * Takes the pages of a document that is not counted so far. The row of the group stays locked until the commit, which
   * adds them. Answers false where they do not fit: the transaction must not commit then.
   */
  async take(tx: Transaction, { documentId, generation, pages }: Candidate): Promise<boolean> {
    const taken = await tx.prepared(
      `update ingestion.document d set corpus_pages = $4
       where d.group_id = $1 and d.document_id = $2 and d.generation = $3 and d.corpus_pages is null
         and d.handed_over is null and not ${isGone('d')} returning d.code`,
      [tx.groupId, documentId, generation, pages],
    );
    // It is counted already, or changed meanwhile: the commit of its chunks finds out.
    if (taken.length === 0) return true;
    const admitted = await tx.prepared(
      `update ingestion.corpus c set pages = c.pages where c.group_id = $1 and ${fits('$2')} returning c.pages`,
      [tx.groupId, pages],
    );
    return admitted.length > 0;
  }

  /** Notes that a document waits for pages. Answers whether it is the first one. */
  async noteFull(tx: Transaction): Promise<boolean> {
    const [row] = await tx.prepared<{ isFirst: boolean }>(
      `update ingestion.corpus c set full_since = coalesce(c.full_since, now()) where c.group_id = $1
       returning old.full_since is null as "isFirst"`,
      [tx.groupId],
    );
    return row?.isFirst ?? false;
  }

  /** Says of documents before their chunks that they wait for pages. */
  async suspend(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    await tx.prepared(
      `update ingestion.document d set reason = '${QUOTA}', updated_at = now()
       where d.group_id = $1 and d.document_id = any($2::uuid[]) and d.status = 'RESUMIDO'`,
      [tx.groupId, documentIds],
    );
  }

  /**
   * The waiting documents that fit by themselves, and those that are due: by their order, then the oldest first.
   */
  suspended(tx: Transaction): Promise<SuspendedDocument[]> {
    return tx.query<SuspendedDocument>(
      `select d.document_id as "documentId", coalesce(d.pages, 0) as pages, t.not_before <= now() as "isDue"
       from ${SUSPENDED} join ingestion.corpus c on c.group_id = d.group_id
       where d.group_id = $1 and (t.not_before <= now() or ${fits('coalesce(d.pages, 0)')})
       order by t.not_before <= now() desc, d.ingestion_order, d.created_at, d.document_id limit ${AT_ONCE}`,
      [tx.groupId],
    );
  }

  /** The pages that are left; null without a limit. */
  async left(tx: Transaction): Promise<number | null> {
    const [row] = await tx.query<{ left: number | null }>(
      `select case when c.on_limit = 'BLOCK' then (c.included - c.pages)::float8 end as left
       from ingestion.corpus c where c.group_id = $1`,
      [tx.groupId],
    );
    return row?.left ?? null;
  }

  /** Locks the row of the group; answers whether documents wait for pages, and forgets that it was full where none do. */
  async isFull(tx: Transaction): Promise<boolean> {
    await tx.query('select from ingestion.corpus where group_id = $1 for update', [tx.groupId]);
    const [row] = await tx.query<{ isFull: boolean }>(
      `select exists (select from ${SUSPENDED} where d.group_id = $1) as "isFull"`,
      [tx.groupId],
    );
    if (row?.isFull === true) return true;
    await tx.query('update ingestion.corpus set full_since = null where group_id = $1 and full_since is not null', [
      tx.groupId,
    ]);
    return false;
  }

  /** Applies the limit of a plan, unless a later one is applied already. */
  async apply(tx: Transaction, revision: number, { included, onLimit }: CorpusLimit): Promise<void> {
    await tx.query(
      `insert into ingestion.corpus as c (group_id, plan_revision, included, on_limit) values ($1, $2, $3, $4)
       on conflict (group_id) do update set plan_revision = excluded.plan_revision, included = excluded.included,
         on_limit = excluded.on_limit
       where c.plan_revision < excluded.plan_revision`,
      [tx.groupId, revision, included, onLimit],
    );
  }

  /** The pages and the limit of the group, as of one moment; undefined before its first document and its first plan. */
  async find(tx: Transaction): Promise<CountedCorpus | undefined> {
    const [row] = await tx.query<Omit<CountedCorpus, 'byEntity'> & { entities: Readonly<Record<string, number>> }>(
      `select c.included, c.on_limit as "onLimit", c.pages::float8 as used,
         c.plan_revision > 0 or c.included is not null as "isLimitKnown",
         (select coalesce(jsonb_object_agg(e.entity_code, e.pages), '{}') from (
            select d.entity_code, sum(${pagesOf('d')}) as pages from ingestion.document d
            where d.group_id = c.group_id group by d.entity_code) e) as entities
       from ingestion.corpus c where c.group_id = $1`,
      [tx.groupId],
    );
    if (row === undefined) return undefined;
    const { entities, ...counted } = row;
    return { ...counted, byEntity: new Map(Object.entries(entities)) };
  }

  /** Sets the count to the pages of the documents. Answers by how many pages it was wrong. */
  async recount(tx: Transaction): Promise<number> {
    await tx.query(
      `insert into ingestion.corpus as c (group_id) values ($1) on conflict (group_id) do update set pages = c.pages`,
      [tx.groupId],
    );
    // A statement of its own: it sees what was committed while the first one waited for the lock.
    const [row] = await tx.query<{ wrong: number }>(
      `update ingestion.corpus c set pages = sum.pages
       from (select coalesce(sum(${pagesOf('d')}), 0) as pages from ingestion.document d where d.group_id = $1) sum
       where c.group_id = $1 and c.pages <> sum.pages returning abs(new.pages - old.pages)::float8 as wrong`,
      [tx.groupId],
    );
    return row?.wrong ?? 0;
  }
}
