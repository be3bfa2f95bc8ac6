import { Injectable } from '@nestjs/common';
import type { LocalSettings, Transaction } from '@acervo/platform-database';
import type { MembersOfSpace } from '../legs/searched-documents';
import { type MemberSource, membersSql, type Window } from './member-source';

/** What a version is written from. */
export interface VersionSource {
  readonly source: MemberSource;
  /** The only entity whose documents are members; null without that restriction. */
  readonly entityCode: string | null;
}

/** Limits of one transaction that writes a whole version. */
export interface AtOnce {
  readonly members: number;
  readonly candidates: number;
}

/** A part of the candidates of a version. */
export interface WrittenSlice {
  /** The last candidate; null where none was left. */
  readonly last: string | null;
  readonly candidates: number;
}

/**
 * Transactions that write or delete slices read rows by key, in the order of the key. Without statistics, or with old
 * ones, the planner sorts all rows that are left for each slice, or compares each candidate with every member.
 */
export const BY_KEY: LocalSettings = {
  ...{ enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' },
  ...{ enable_hashjoin: 'off', enable_mergejoin: 'off' },
};

/** The members of spaces, by version. */
@Injectable()
export class MemberStore {
  /** Writes a version, unless it has more members, or more candidates, than one transaction writes or reads. */
  async writeAtOnce(
    tx: Transaction,
    { spaceId, version }: MembersOfSpace,
    { source, entityCode }: VersionSource,
    most: AtOnce,
  ): Promise<boolean> {
    const { candidates, condition, params } = membersSql(source, entityCode, { limit: most.candidates + 1 }, 6);
    const [row] = await tx.query<{ complete: boolean }>(
      `with part as materialized (${candidates}),
       found as materialized (select d.document_id from part d where ${condition} limit $4::int + 1),
       complete as materialized (
         select (select count(*) from part) <= $5::int and (select count(*) from found) <= $4::int as complete),
       written as (
         insert into retrieval.space_member (group_id, space_id, version, document_id)
         select $1, $2, $3, f.document_id from found f, complete where complete)
       select complete from complete`,
      [tx.groupId, spaceId, version, most.members, most.candidates, ...params],
    );
    return row?.complete ?? false;
  }

  /** Writes the members among the next candidates of a version. */
  async writeSlice(
    tx: Transaction,
    { spaceId, version }: MembersOfSpace,
    { source, entityCode }: VersionSource,
    window: Required<Window>,
  ): Promise<WrittenSlice> {
    const { candidates, condition, params } = membersSql(source, entityCode, window, 4);
    const [row] = await tx.query<WrittenSlice>(
      `with part as materialized (${candidates}),
       written as (
         insert into retrieval.space_member (group_id, space_id, version, document_id)
         select $1, $2, $3, d.document_id from part d where ${condition} returning document_id)
       select (select document_id from part order by document_id desc limit 1) as last,
         (select count(*)::int from part) as candidates`,
      [tx.groupId, spaceId, version, ...params],
    );
    return row ?? { last: null, candidates: 0 };
  }

  /** Deletes up to `most` members of one version; returns how many. */
  async clear(tx: Transaction, { spaceId, version }: MembersOfSpace, most: number): Promise<number> {
    return this.delete(tx, 'm.space_id = $2 and m.version = $4', [spaceId, most, version]);
  }

  /** Deletes up to `most` members of versions that are no longer read; returns how many. */
  purge(tx: Transaction, spaceId: number, most: number): Promise<number> {
    const read = `coalesce((select s.version from retrieval.space s where s.group_id = $1 and s.space_id = $2), ${2 ** 31 - 1})`;
    return this.delete(tx, `m.space_id = $2 and m.version < ${read}`, [spaceId, most]);
  }

  /** The members of a version, at most so many. */
  async ids(tx: Transaction, { spaceId, version }: MembersOfSpace, most: number): Promise<readonly string[]> {
    const rows = await tx.query<{ documentId: string }>(
      `select document_id as "documentId" from retrieval.space_member
       where group_id = $1 and space_id = $2 and version = $3 order by document_id limit $4`,
      [tx.groupId, spaceId, version, most],
    );
    return rows.map(({ documentId }) => documentId);
  }

  private async delete(tx: Transaction, where: string, params: readonly unknown[]): Promise<number> {
    const rows = await tx.query(
      `delete from retrieval.space_member where group_id = $1 and ctid = any(array(
         select m.ctid from retrieval.space_member m where m.group_id = $1 and ${where} limit $3)) returning version`,
      [tx.groupId, ...params],
    );
    return rows.length;
  }
}
