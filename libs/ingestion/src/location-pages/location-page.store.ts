import { Injectable } from '@nestjs/common';
import { MOST_DESCRIBED_DOCUMENTS, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import type { StoredResult } from '../skills/citations';
import type { CountedName, DescribedDocument, DescribedFolder, FolderContents } from './location-page';

/** A folder whose page was compiled before. */
export interface PagedFolder extends DescribedFolder {
  readonly pageAt: Date;
}

interface SummarisedRow extends Omit<DescribedDocument, 'quotes'> {
  readonly result: StoredResult | null;
}

const MOST_FOLDERS = 50;
const MOST_TYPES = 50;
/** Quotes of one document. */
const MOST_QUOTES = 2;
const SUMMARY = 'DOCUMENT-SUMMARY';

const IS_THERE = `d.deleted_at is null and d.status <> 'NO_ENCONTRADO'`;

const quotesOf = (result: StoredResult | null): DescribedDocument['quotes'] =>
  (result?.statements ?? [])
    .flatMap(({ citations }) => citations.slice(0, 1))
    .slice(0, MOST_QUOTES)
    .map(({ page, quote }) => ({ page, quote }));

/** The pages of folders, and what each reader sees in a folder. */
@Injectable()
export class LocationPageStore {
  /** A visible folder. @throws NotFound */
  async find(tx: Transaction, visibility: Visibility, code: string, lockClause = ''): Promise<DescribedFolder> {
    const visible = visibilitySql(visibility, 'l', 2);
    const [row] = await tx.query<DescribedFolder>(
      `select l.code, l.name, l.entity_code as "entityCode" from ingestion.location l
       where l.code = $1 and l.removed_at is null and l.deleted_at is null and ${visible.sql} ${lockClause}`,
      [code, ...visible.params],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** Notes that the page of a folder is compiled; answers when. */
  async keep(tx: Transaction, code: string): Promise<Date> {
    const [row] = await tx.query<{ at: Date }>(
      `update ingestion.location set page_at = now() where group_id = $1 and code = $2 returning page_at as at`,
      [tx.groupId, code],
    );
    if (row === undefined) throw new NotFound();
    return row.at;
  }

  /** Those of some folders that the caller sees and that have a page. */
  paged(tx: Transaction, visibility: Visibility, codes: readonly string[]): Promise<PagedFolder[]> {
    const visible = visibilitySql(visibility, 'l', 2);
    return tx.query<PagedFolder>(
      `select l.code, l.name, l.entity_code as "entityCode", l.page_at as "pageAt" from ingestion.location l
       where l.code = any($1::text[]) and l.page_at is not null and ${visible.sql}`,
      [codes, ...visible.params],
    );
  }

  /** What one reader sees in a folder and below it. */
  async contents(tx: Transaction, reader: Visibility, code: string): Promise<FolderContents> {
    const visibility = { ...reader, locationCode: code };
    const folders = await this.folders(tx, visibility, code);
    return {
      documents: await this.count(tx, visibility),
      folders: folders.slice(0, MOST_FOLDERS),
      moreFolders: Math.max(0, folders.length - MOST_FOLDERS),
      types: await this.types(tx, visibility),
      described: await this.described(tx, visibility),
    };
  }

  private async count(tx: Transaction, visibility: Visibility): Promise<number> {
    const visible = visibilitySql(visibility, 'd', 1);
    const [row] = await tx.query<{ documents: number }>(
      `select count(*)::int as documents from ingestion.document d where ${IS_THERE} and ${visible.sql}`,
      visible.params,
    );
    return row?.documents ?? 0;
  }

  /** The folders directly below it, by name, with the documents in and below each. */
  private folders(tx: Transaction, visibility: Visibility, code: string): Promise<CountedName[]> {
    const visible = visibilitySql(visibility, 'd', 2);
    return tx.query<CountedName>(
      `select l.code, l.name, coalesce(c.documents, 0) as documents from ingestion.location l
       left join (
         select d.location_ancestors[array_position(d.location_ancestors, $1) + 1] as code, count(*)::int as documents
         from ingestion.document d where ${IS_THERE} and ${visible.sql} group by 1) c on c.code = l.code
       where l.group_id = ${'$'}${visible.params.length + 2}::uuid and l.parent_code = $1 and l.removed_at is null and l.deleted_at is null
       order by l.name collate "C", l.code collate "C"`,
      [code, ...visible.params, tx.groupId],
    );
  }

  /** The types of its documents, those with the most documents first. */
  private types(tx: Transaction, visibility: Visibility): Promise<CountedName[]> {
    const visible = visibilitySql(visibility, 'd', 1);
    return tx.query<CountedName>(
      `select t.code, t.name, count(*)::int as documents from ingestion.document d
       join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
       join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code
       where ${IS_THERE} and ${visible.sql} group by t.code, t.name
       order by count(*) desc, t.code collate "C" limit ${MOST_TYPES}`,
      visible.params,
    );
  }

  /** The documents that changed last, with what their summary quotes of their present text. */
  private async described(tx: Transaction, visibility: Visibility): Promise<DescribedDocument[]> {
    const visible = visibilitySql(visibility, 'd', 1);
    const rows = await tx.query<SummarisedRow>(
      `select d.code, d.name, d.revision, coalesce(d.summary, '') as summary, s.result from ingestion.document d
       left join ingestion.document_skill s on s.group_id = d.group_id and s.document_id = d.document_id
         and s.skill_code = '${SUMMARY}' and s.text_object = d.text_object
       where ${IS_THERE} and d.status <> 'NO_SOPORTADO' and ${visible.sql}
       order by d.content_at desc, d.code collate "C" limit ${MOST_DESCRIBED_DOCUMENTS}`,
      visible.params,
    );
    return rows
      .map(({ result, ...row }) => ({ ...row, quotes: quotesOf(result) }))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  }
}
