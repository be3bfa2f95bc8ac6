import { Injectable } from '@nestjs/common';
import {
  type DocumentFeatures,
  type DocumentReference,
  type EvidencedFeature,
  getDocumentFeatures,
  NotFound,
  summariseTypes,
  type TextEvidence,
  type TypeCount,
  type TypeSummary,
  type TypeSummaryRequest,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf, visibilitySql } from '@acervo/rbac';

interface ClassRow extends Omit<DocumentFeatures, 'documentCode' | 'features'> {
  readonly documentId: string;
  readonly evidence: readonly TextEvidence[];
}

const MOST_FEATURES = 1_000;
const MOST_EVIDENCE = 100;

/** A type that was deleted counts as none until its documents are classified again. */
const CLASS = `select d.document_id as "documentId", t.code as "documentTypeCode",
    case when t.code is not null then c.source end as source,
    case when t.code is null then 0 else c.score end as score, case when t.code is null then 0 else c.margin end as margin,
    (select r.code from ingestion.document_type r where r.group_id = d.group_id and r.code = c.runner_up) as "runnerUp",
    coalesce(c.awaits_vector, false) as "isProvisional",
    case when t.code is null then '[]'::jsonb else c.evidence end as evidence
  from ingestion.document d
  left join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
  left join ingestion.document_type t on t.group_id = d.group_id and t.code = c.type_code
  where d.code = $1 and d.deleted_at is null`;

const FEATURES = `select f.category_code as "categoryCode", y.name as "categoryName", f.code, x.name, y.kind, f.value, f.source,
    f.confidence, f.page, f.start_at as "startAt", f.end_at as "endAt", f.quote
  from ingestion.document_feature f
  join ingestion.feature_category y on y.group_id = f.group_id and y.code = f.category_code
  join ingestion.feature x on x.group_id = f.group_id and x.category_code = f.category_code and x.code = f.code
  where f.group_id = $1 and f.document_id = $2
  order by f.category_code collate "C", f.code collate "C" limit ${MOST_FEATURES}`;

/** Types and features of documents as a caller sees them. */
@Injectable()
export class DocumentFeaturesHandlers {
  constructor(private readonly database: Database) {}

  @Handles(getDocumentFeatures)
  features(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentFeatures> {
    const visibility = visibilityOf(scope);
    const visible = visibilitySql(visibility, 'd', 2);
    return this.database.read(visibility, async (tx) => {
      const [row] = await tx.query<ClassRow>(`${CLASS} and ${visible.sql}`, [documentCode, ...visible.params]);
      if (row === undefined) throw new NotFound();
      const { documentId, evidence, ...known } = row;
      const features = await tx.query<EvidencedFeature>(FEATURES, [tx.groupId, documentId]);
      return { documentCode, ...known, evidence: evidence.slice(0, MOST_EVIDENCE), features };
    });
  }

  @Handles(summariseTypes)
  async summary(scope: Scope, { entityCode }: TypeSummaryRequest): Promise<TypeSummary> {
    const visibility = visibilityOf(scope, { entityCode });
    const visible = visibilitySql(visibility, 'd');
    const counts = await this.database.read(visibility, (tx) =>
      tx.query<TypeCount>(
        `select d.entity_code as "entityCode", t.code as "typeCode", t.name as "typeName", d.status,
           count(*)::int as documents
         from ingestion.document d
         left join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
         left join ingestion.document_type t on t.group_id = d.group_id and t.code = c.type_code
         where ${visible.sql} and d.deleted_at is null
         group by 1, 2, 3, 4 order by 1, 2 nulls last, 4`,
        visible.params,
      ),
    );
    return { counts, total: counts.reduce((sum, { documents }) => sum + documents, 0) };
  }
}
