import { Injectable } from '@nestjs/common';
import type { Validators } from '@acervo/platform-egress';
import type { Transaction } from '@acervo/platform-database';
import { ObjectGarbageCollector } from '../document-state/object-garbage-collector';

/** An approved page, as the last answer of its site left it. */
export interface ApprovedPage {
  readonly url: string;
  readonly contentHash: string | null;
  readonly validators: Validators;
}

/** What a site answered for a page. */
export interface FetchedContent {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly object: string;
  readonly contentHash: string;
}

/** The outcome of one request for a page. */
export type Checked =
  | { readonly kind: 'changed'; readonly content: FetchedContent; readonly validators: Validators }
  | { readonly kind: 'unchanged'; readonly validators: Validators | null }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly problem: string };

/** A page of which a document is made. */
export interface StoredPage extends Pick<FetchedContent, 'name' | 'size' | 'contentHash'> {
  readonly url: string;
  readonly isPublic: boolean;
}

/** Answers of absence in a row after which the document of a page is missing. */
const MOST_ABSENCES = 2;

interface Replaced {
  readonly object: string | null;
  readonly hash: string | null;
}

/** Approved pages and what their sites answered. */
@Injectable()
export class WebPageStore {
  constructor(private readonly garbageCollector: ObjectGarbageCollector) {}

  /** The next approved page that a run has not asked for; undefined behind the last one. */
  async next(tx: Transaction, code: string, run: number): Promise<ApprovedPage | undefined> {
    const [row] = await tx.query<ApprovedPage>(
      `select url, content_hash as "contentHash",
         jsonb_build_object('etag', etag, 'lastModified', last_modified) as validators
       from ingestion.web_page where group_id = $1 and location_code = $2 and decision = 'APPROVED'
         and checked_run is distinct from $3 order by url limit 1`,
      [tx.groupId, code, run],
    );
    return row;
  }

  /** Stores the outcome of a request; the replaced content is collected once no document needs it. */
  async check(tx: Transaction, code: string, run: number, url: string, checked: Checked): Promise<void> {
    const { sql, values } = columnsOf(checked);
    const [replaced] = await tx.query<Replaced>(
      `update ingestion.web_page set checked_run = $4, checked_at = now(), ${sql}
       where group_id = $1 and location_code = $2 and url = $3
       returning case when old.object is distinct from new.object then old.object end as object,
         old.content_hash as hash`,
      [tx.groupId, code, url, run, ...values],
    );
    if (replaced?.object != null)
      await this.garbageCollector.replaceAll(tx, [{ contentHash: replaced.hash, objects: [replaced.object] }]);
  }

  /** Pages with content that are documents, or are to become some. */
  stored(tx: Transaction, code: string, acceptDeletions: boolean): Promise<StoredPage[]> {
    return tx.query<StoredPage>(
      `select url, name, size::float8 as size, content_hash as "contentHash", is_public as "isPublic"
       from ingestion.web_page where group_id = $1 and location_code = $2 and decision = 'APPROVED'
         and object is not null and absences < $3 order by url`,
      [tx.groupId, code, acceptDeletions ? 1 : MOST_ABSENCES],
    );
  }

  /** Why approved pages could not be fetched, and how many each reason concerns, the most frequent one first. */
  problems(tx: Transaction, code: string): Promise<{ readonly problem: string; readonly pages: number }[]> {
    return tx.query(
      `select problem, count(*)::int as pages from ingestion.web_page
       where group_id = $1 and location_code = $2 and decision = 'APPROVED' and problem is not null
       group by problem order by count(*) desc, problem`,
      [tx.groupId, code],
    );
  }

  /** Deletes what belongs to a deleted web location. */
  async remove(tx: Transaction, code: string): Promise<void> {
    const gone = await tx.query<Replaced>(
      `delete from ingestion.web_page where group_id = $1 and location_code = $2
       returning object, content_hash as hash`,
      [tx.groupId, code],
    );
    await tx.query(`delete from ingestion.web_root where group_id = $1 and location_code = $2`, [tx.groupId, code]);
    await this.garbageCollector.replaceAll(
      tx,
      gone.flatMap(({ object, hash }) => (object === null ? [] : [{ contentHash: hash, objects: [object] }])),
    );
  }
}

/** The columns that an outcome writes; their values begin at $5. */
const columnsOf = (checked: Checked): { readonly sql: string; readonly values: readonly unknown[] } => {
  switch (checked.kind) {
    case 'changed': {
      const { name, mediaType, size, object, contentHash } = checked.content;
      const { etag, lastModified } = checked.validators;
      return {
        sql: `name = $5, media_type = $6, size = $7, object = $8, content_hash = $9, etag = $10, last_modified = $11,
          absences = 0, problem = null`,
        values: [name, mediaType, size, object, contentHash, etag, lastModified],
      };
    }
    case 'unchanged':
      return checked.validators === null
        ? { sql: 'absences = 0, problem = null', values: [] }
        : {
            sql: 'etag = $5, last_modified = $6, absences = 0, problem = null',
            values: [checked.validators.etag, checked.validators.lastModified],
          };
    case 'absent':
      return { sql: 'absences = absences + 1, problem = $5', values: ['The site says that the page is gone.'] };
    case 'failed':
      return { sql: 'problem = $5', values: [checked.problem] };
  }
};
