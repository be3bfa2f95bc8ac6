import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { liveIndexSql } from '../embedding-indexes/live-index-sql';
import { neverGathered, operandsOf } from '../space-members/definition-sql';
import { memberCountSql } from './member-count';

/** That a search may find the document `d`. `$1` is the group. */
const IS_LIVE = `l.group_id = d.group_id and l.document_id = d.document_id and l.space_id = ${liveIndexSql('$1')}`;

const SEARCHED = `retrieval.document d join retrieval.live l on ${IS_LIVE}`;

/** A fact that the snapshot of a refresh lacks. A restored database may hold transactions that are still to come. */
const isLater = (alias: string): string => `${alias}.noted_in >= pg_snapshot_xmin(s.refreshed_in)
  and ${alias}.noted_in < pg_snapshot_xmax(pg_current_snapshot())
  and not pg_visible_in_snapshot(${alias}.noted_in, s.refreshed_in)`;

/** Criteria compare documents. So does the entity of a space that was composed of spaces beyond that entity. */
const dependsOnDocuments = (alias: string): string =>
  `(${alias}.criteria is not null or (${alias}.entity_code is not null and exists (
    select from ${operandsOf(alias)} join retrieval.space q on q.group_id = $1 and q.space_id = o.space_id
    where q.entity_code is distinct from ${alias}.entity_code)))`;

/** What one reader sees of spaces: members that are live and visible, and changes of visible documents alone. */
@Injectable()
export class ReaderViewStore {
  /** The documents that the reader sees, by space. */
  async counts(
    tx: Transaction,
    visibility: Visibility,
    spaceIds: readonly number[],
  ): Promise<ReadonlyMap<number, number>> {
    const visible = visibilitySql(visibility, 'd', 3);
    const counted = { group: '$1', spaceId: 's.space_id', version: 's.version', indexId: liveIndexSql('$1') };
    const rows = await tx.prepared<{ spaceId: number; documents: number }>(
      `select s.space_id as "spaceId", ${memberCountSql({ ...counted, visible: visible.sql })} as documents
       from retrieval.space s where s.group_id = $1 and s.space_id = any($2::int[])`,
      [tx.groupId, spaceIds, ...visible.params],
    );
    return new Map(rows.map(({ spaceId, documents }) => [spaceId, documents]));
  }

  /**
   * Those spaces that changed for the reader since they were gathered: documents that the reader sees changed, an
   * operand was refreshed, deleted or changed itself, or a refresh runs. So are imported ones until they are gathered.
   */
  async stale(tx: Transaction, visibility: Visibility, spaceIds: readonly number[]): Promise<ReadonlySet<number>> {
    const visible = visibilitySql(visibility, 'd', 3);
    const rows = await tx.prepared<{ spaceId: number }>(
      `with recursive reached (root, space_id) as (
         select id, id from unnest($2::int[]) as id
         union
         select r.root, o.space_id from reached r
         join retrieval.space s on s.group_id = $1 and s.space_id = r.space_id and s.expression is not null
         cross join lateral ${operandsOf('s')}),
       changed as (
         select n.space_id from (select distinct space_id from reached) n
         left join retrieval.space s on s.group_id = $1 and s.space_id = n.space_id
         where s.space_id is null or s.requested > s.version or ${neverGathered('s')}
           or (s.expression is not null and exists (
             select from ${operandsOf('s')} left join retrieval.space p on p.group_id = $1 and p.space_id = o.space_id
             where p.version is distinct from s.operand_versions[o.place]))
           or (${dependsOnDocuments('s')} and exists (
             select from ${SEARCHED} where ${isLater('d')} and not d.withdrawn and ${visible.sql}))
           or (s.criteria ? 'status' and exists (
             select from ${SEARCHED} where ${isLater('l')} and not d.withdrawn and ${visible.sql})))
       select distinct r.root as "spaceId" from reached r join changed c on c.space_id = r.space_id`,
      [tx.groupId, spaceIds, ...visible.params],
    );
    return new Set(rows.map(({ spaceId }) => spaceId));
  }
}
