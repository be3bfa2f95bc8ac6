import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { liveIndexSql } from '../embedding-indexes/live-index-sql';
import { isNarrowed, liveRow, readSearched, type SearchedDocuments, searchedRows } from '../legs/searched-documents';

/** Documents that are counted at most: with more, no leg reads differently. */
const MOST_COUNTED = 200;

/** What a search can find, before a leg is read. */
export interface Admission {
  /** Whether any document can be found. */
  readonly isAny: boolean;
  /** The chunks of all documents that can be found; undefined where there are many, or where nothing narrows them. */
  readonly chunks: number | undefined;
}

interface Counted {
  readonly documents: number;
  readonly chunks: number;
}

/** Counts documents and their chunks, up to a number of documents; it depends on no statement beside it. */
export const admissionStatement = (
  searched: SearchedDocuments,
  most: number,
): { readonly sql: string; readonly params: readonly unknown[] } => {
  const { from, where, params } = searchedRows(searched, 2);
  return {
    sql: `
select count(*)::int as documents, coalesce(sum(admitted.chunk_count), 0)::int as chunks from (
  select l.chunk_count from ${from} left join ${liveRow('$1::uuid', liveIndexSql('$1::uuid'))} on true
  where ${where} limit ${most}) admitted`,
    params: [searched.groupId, ...params],
  };
};

/** Counts what a search admits. */
@Injectable()
export class AdmissionStore {
  async of(tx: Transaction, searched: SearchedDocuments): Promise<Admission> {
    const most = isNarrowed(searched) ? MOST_COUNTED + 1 : 1;
    const [row] = await readSearched<Counted>(tx, searched, admissionStatement(searched, most));
    const { documents, chunks } = row ?? { documents: 0, chunks: 0 };
    return { isAny: documents > 0, chunks: documents < most ? chunks : undefined };
  }
}
