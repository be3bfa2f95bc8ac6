import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';

/** Names of each kind that a draft mentions, those with the most documents first. */
const MOST_NAMES = 8;

/** What is known of the documents that the caller sees. */
export interface DraftFacts {
  readonly documents: number;
  readonly folders: readonly string[];
  readonly documentTypes: readonly string[];
  /** Codes of languages. */
  readonly languages: readonly string[];
}

const FOLDER = 'join ingestion.location l on l.group_id = d.group_id and l.code = d.location_code';
const TYPE = `join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
  join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code`;

/** Reads what a draft of the texts of an organisation is assembled from. */
@Injectable()
export class DraftFactsStore {
  async read(tx: Transaction, visibility: Visibility): Promise<DraftFacts> {
    const [all] = await tx.query<{ documents: number }>(
      ...this.statement(visibility, 'select count(*)::int as documents', ''),
    );
    return {
      documents: all?.documents ?? 0,
      folders: await this.names(tx, visibility, 'l.name', FOLDER),
      documentTypes: await this.names(tx, visibility, 't.name', TYPE),
      languages: await this.names(tx, visibility, 'd.language', ''),
    };
  }

  private async names(tx: Transaction, visibility: Visibility, column: string, join: string): Promise<string[]> {
    const [sql, params] = this.statement(visibility, `select ${column} as name`, join);
    const rows = await tx.query<{ name: string | null }>(
      `${sql} group by ${column} order by count(*) desc, ${column} collate "C" limit ${MOST_NAMES}`,
      params,
    );
    return rows.flatMap(({ name }) => name ?? []);
  }

  /** A statement over the documents that are there for the caller. */
  private statement(visibility: Visibility, select: string, join: string): [string, readonly unknown[]] {
    const { sql, params } = visibilitySql(visibility, 'd');
    const there = `${sql} and d.deleted_at is null and d.status <> 'NO_ENCONTRADO'`;
    return [`${select} from ingestion.document d ${join} where ${there}`, params];
  }
}
