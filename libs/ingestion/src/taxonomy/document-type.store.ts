import { Injectable } from '@nestjs/common';
import { type DocumentTypeItem, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { TaxonomyConflict } from './taxonomy.errors';
import type { TypeReach } from './type-reach';
import { type TypePlace, TypeTree } from './type-tree';

export interface TypeQuery {
  /** Only types of this entity and of the whole group. */
  readonly entityCode: string | undefined;
  readonly query: string | undefined;
  readonly after: string | null;
  readonly limit: number;
}

export interface TypeDraft extends TypePlace {
  readonly name: string;
  readonly description: string;
}

const WITHIN = `t.group_id = $1 and ($2::text[] is null or t.entity_code is null or t.entity_code = any($2))`;

const ITEM = `select t.code, t.name, t.description, t.parent_code as "parentCode", t.entity_code as "entityCode",
  exists (select from ingestion.document_type c where c.group_id = t.group_id and c.parent_code = t.code) as "hasChildren"
from ingestion.document_type t where ${WITHIN}`;

const LIST = `${ITEM}
  and ($3::text is null or t.entity_code is null or t.entity_code = $3)
  and ($4::text is null or position(lower($4) in lower(t.name)) > 0 or position(lower($4) in lower(t.code)) > 0)
  and ($5::text is null or t.code collate "C" > $5) order by t.code collate "C" limit $6`;

/** The document types of a group. Types out of the caller's reach count as missing. */
@Injectable()
export class DocumentTypeStore {
  list(
    tx: Transaction,
    { entities }: TypeReach,
    { entityCode, query, after, limit }: TypeQuery,
  ): Promise<DocumentTypeItem[]> {
    const params = [tx.groupId, entities, entityCode ?? null, query ?? null, after, limit];
    return tx.query<DocumentTypeItem>(LIST, params);
  }

  /** @throws NotFound */
  async item(tx: Transaction, { entities }: TypeReach, code: string): Promise<DocumentTypeItem> {
    const [row] = await tx.query<DocumentTypeItem>(`${ITEM} and t.code = $3`, [tx.groupId, entities, code]);
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** The place of a type within reach. @throws NotFound */
  async place(tx: Transaction, { entities }: TypeReach, code: string): Promise<TypePlace> {
    const [row] = await tx.query<TypePlace>(
      `select t.code, t.parent_code as "parentCode", t.entity_code as "entityCode" from ingestion.document_type t
       where ${WITHIN} and t.code = $3`,
      [tx.groupId, entities, code],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** All types of the group. */
  async tree(tx: Transaction): Promise<TypeTree> {
    return new TypeTree(
      await tx.query<TypePlace>(
        `select code, parent_code as "parentCode", entity_code as "entityCode" from ingestion.document_type
         where group_id = $1 order by code collate "C"`,
        [tx.groupId],
      ),
    );
  }

  /** @throws TaxonomyConflict for a code that is taken. */
  async create(tx: Transaction, draft: TypeDraft): Promise<void> {
    const { code, name, description, parentCode, entityCode } = draft;
    const made = await tx.query(
      `insert into ingestion.document_type (group_id, code, name, description, parent_code, entity_code)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning code`,
      [tx.groupId, code, name, description, parentCode, entityCode],
    );
    if (made.length === 0) throw new TaxonomyConflict('CODE_TAKEN');
  }

  /** Writes the texts that are given. */
  async describe(tx: Transaction, code: string, name?: string, description?: string): Promise<void> {
    await tx.query(
      `update ingestion.document_type set name = coalesce($3, name), description = coalesce($4, description),
         updated_at = now() where group_id = $1 and code = $2`,
      [tx.groupId, code, name ?? null, description ?? null],
    );
  }

  async move(tx: Transaction, code: string, parentCode: string | null): Promise<void> {
    await tx.query(
      `update ingestion.document_type set parent_code = $3, updated_at = now() where group_id = $1 and code = $2`,
      [tx.groupId, code, parentCode],
    );
  }

  /** Deletes a type without types below it, with its categories, features and examples. */
  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(`delete from ingestion.document_type where group_id = $1 and code = $2`, [tx.groupId, code]);
  }
}
