import { Injectable } from '@nestjs/common';
import {
  type DocumentDetail,
  type DocumentItem,
  documentUrl,
  type ExtractionReport,
  HOME_PREFIX,
  NotFound,
} from '@acervo/contracts';
import { BaseConfig } from '@acervo/platform-config';
import { Database, type Transaction } from '@acervo/platform-database';
import type { DocumentOrigin, DocumentStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { LocationListing } from '../locations/location-listing.store';
import { FILE_PATH } from '../document-state/document-events';

interface Row {
  readonly code: string;
  readonly name: string;
  readonly status: DocumentStatus;
  readonly summary: string | null;
  readonly path: string;
  readonly relativePath: string;
  readonly homeVar: string | null;
  readonly origin: DocumentOrigin;
  /** Of its web page; null for a file. */
  readonly url: string | null;
  readonly locationCode: string;
  readonly entityCode: string;
  readonly documentTypeCode: string | null;
  readonly contentAt: Date;
  readonly createdAt: Date;
  readonly reason: string | null;
  readonly language: string | null;
  readonly sizeBytes: number;
  readonly pages: number | null;
  readonly chunkCount: number | null;
  readonly extraction: ExtractionReport | null;
}

/** The type of a document; none as soon as the type is deleted, before its documents are classified again. */
const TYPE_OF_DOCUMENT = `left join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
  left join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code`;

const SELECT = `select d.code, d.name, d.status, d.summary, d.path, ${FILE_PATH} as "relativePath",
  case when d.origin is null then '${HOME_PREFIX}' || d.root_code end as "homeVar",
  coalesce(d.origin, 'CARPETA') as origin, d.url, d.location_code as "locationCode", d.entity_code as "entityCode",
  d.content_at as "contentAt", d.created_at as "createdAt", d.reason, d.language, d.size::float8 as "sizeBytes", d.pages,
  d.chunk_count as "chunkCount", d.extraction_report as "extraction", t.code as "documentTypeCode"
  from ingestion.document d ${TYPE_OF_DOCUMENT}`;

export interface ListQuery {
  readonly visibility: Visibility;
  readonly status: DocumentStatus | undefined;
  readonly limit: number;
  readonly page: number;
}

/** Documents as a caller sees them: invisible documents are absent. */
@Injectable()
export class ListingStore {
  constructor(
    private readonly database: Database,
    private readonly locations: LocationListing,
    private readonly config: BaseConfig,
  ) {}

  /** One page, ordered by path. @throws NotFound for a folder that is not visible */
  list({ visibility, status, limit, page }: ListQuery): Promise<{ documents: DocumentItem[]; total: number }> {
    const visible = visibilitySql(visibility, 'd');
    const params = [...visible.params, ...(status === undefined ? [] : [status])];
    const there = `${visible.sql} and d.deleted_at is null`;
    const where = status === undefined ? there : `${there} and d.status = $${params.length}`;
    return this.database.read(visibility, async (tx) => {
      await this.assertFolder(tx, visibility);
      const [count] = await tx.query<{ total: number }>(
        `select count(*)::int as total from ingestion.document d where ${where}`,
        params,
      );
      const rows = await tx.query<Row>(
        `${SELECT} where ${where} order by d.path collate "C", d.code limit $${params.length + 1} offset $${params.length + 2}`,
        [...params, limit, (page - 1) * limit],
      );
      return { documents: rows.map((row) => this.item(row)), total: count?.total ?? 0 };
    });
  }

  /** Visible documents by state; empty states are left out. */
  countByStatus(visibility: Visibility): Promise<{ status: DocumentStatus; documents: number }[]> {
    const visible = visibilitySql(visibility, 'd');
    return this.database.read(visibility, (tx) =>
      tx.query<{ status: DocumentStatus; documents: number }>(
        `select d.status, count(*)::int as documents from ingestion.document d
         where ${visible.sql} and d.deleted_at is null group by d.status`,
        visible.params,
      ),
    );
  }

  /** @throws NotFound for an absent or invisible document: one query, one answer */
  async get(visibility: Visibility, code: string): Promise<DocumentDetail> {
    const visible = visibilitySql(visibility, 'd', 2);
    const [row] = await this.database.read(visibility, (tx) =>
      tx.query<Row>(`${SELECT} where d.code = $1 and d.deleted_at is null and ${visible.sql}`, [
        code,
        ...visible.params,
      ]),
    );
    if (row === undefined) throw new NotFound();
    const { reason, language, sizeBytes, pages, chunkCount, extraction, createdAt } = row;
    const facts = { reason, language, sizeBytes, pages, chunkCount, extraction };
    return { ...this.item(row), ...facts, createdAt: createdAt.toISOString() };
  }

  /** A folder is visible under the same formula as the documents in it. */
  private async assertFolder(tx: Transaction, visibility: Visibility): Promise<void> {
    if (visibility.locationCode !== null) await this.locations.assertSeen(tx, visibility, visibility.locationCode);
  }

  private item(row: Row): DocumentItem {
    const { code, name, status, summary, path, relativePath, locationCode, entityCode, contentAt } = row;
    const { documentTypeCode, homeVar, origin, url } = row;
    return {
      code,
      name,
      status,
      summary,
      location: path,
      locationCode,
      entityCode,
      documentTypeCode,
      url: url ?? documentUrl(this.config.publicUrl, code),
      updatedAt: contentAt.toISOString(),
      fs: {
        homeVar,
        relativePath,
        path,
        origin,
        isAbsolute: false,
        isPublicUrl: url !== null,
        isCloudOnly: false,
      },
    };
  }
}
