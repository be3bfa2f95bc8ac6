import { Injectable } from '@nestjs/common';
import { type DocumentFeature, type NeighborDocument, NotFound, type PathStep } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { MAX_TYPE_DEPTH } from '../taxonomy/taxonomy';
import { fewVisibleStatement, MOST_OF_AN_EDGE, type NeighborsFrom, neighborsStatement } from './neighbors';

/** Most features of a document in one answer. */
const MOST_FEATURES = 1_000;

/** What a document is connected with. Deleted types and features are left out at once. */
@Injectable()
export class EdgesStore {
  /** @throws NotFound for an absent or invisible document */
  async documentId(tx: Transaction, visibility: Visibility, code: string): Promise<string> {
    const visible = visibilitySql(visibility, 'd', 2);
    const [row] = await tx.query<{ documentId: string }>(
      `select d.document_id as "documentId" from ingestion.document d
       where d.code = $1 and d.deleted_at is null and ${visible.sql}`,
      [code, ...visible.params],
    );
    if (row === undefined) throw new NotFound();
    return row.documentId;
  }

  /** The type of a document behind the types above it; empty without a type. */
  typePath(tx: Transaction, documentId: string): Promise<PathStep[]> {
    return tx.query<PathStep>(
      `with recursive up (code, name, parent_code, step) as (
         select t.code, t.name, t.parent_code, 1 from ingestion.document_class c
         join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code
         where c.group_id = $1 and c.document_id = $2
         union all
         select p.code, p.name, p.parent_code, up.step + 1 from up
         join ingestion.document_type p on p.group_id = $1 and p.code = up.parent_code where up.step < $3)
       select code, name from up order by step desc`,
      [tx.groupId, documentId, MAX_TYPE_DEPTH],
    );
  }

  /** The features of a document with their evidence, by category and code. */
  features(tx: Transaction, documentId: string): Promise<DocumentFeature[]> {
    return tx.query<DocumentFeature>(
      `select o.category_code as "categoryCode", o.code, f.name, o.value, o.source, o.confidence,
         json_build_object('page', o.page, 'startAt', o.start_at, 'endAt', o.end_at, 'quote', o.quote) as evidence
       from ingestion.document_feature o
       join ingestion.feature f on f.group_id = o.group_id and f.category_code = o.category_code and f.code = o.code
       where o.group_id = $1 and o.document_id = $2
       order by o.category_code collate "C", o.code collate "C" limit $3`,
      [tx.groupId, documentId, MOST_FEATURES],
    );
  }

  /** Other visible documents that share edges with this one, the most similar ones first: see `neighborsStatement`. */
  async neighbors(
    tx: Transaction,
    visibility: Visibility,
    from: NeighborsFrom,
    limit: number,
  ): Promise<NeighborDocument[]> {
    const visible = fewVisibleStatement(visibility);
    const ids = (await tx.query<{ documentId: string }>(visible.sql, visible.params)).map((row) => row.documentId);
    const few = ids.length > MOST_OF_AN_EDGE ? null : ids;
    const { sql, params } = neighborsStatement(visibility, from, limit, few);
    return tx.query<NeighborDocument>(sql, params);
  }
}
