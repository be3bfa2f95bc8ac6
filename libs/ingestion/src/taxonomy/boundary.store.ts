import { Injectable } from '@nestjs/common';
import { type BoundaryRuleItem, MOST_EXAMPLES, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { TaxonomyConflict } from './taxonomy.errors';
import type { TypePlace } from './type-tree';

export interface BoundaryTexts {
  readonly includes: string;
  readonly excludes: string;
  readonly rules: readonly BoundaryRuleItem[];
}

/** The texts of the boundary that change; absent ones stay. */
type Change = Partial<BoundaryTexts>;

/** Examples as one caller sees them. */
export interface SeenExamples {
  readonly examples: readonly string[];
  readonly hiddenExamples: number;
}

const EXAMPLE = `ingestion.type_example e join ingestion.document d
  on d.group_id = e.group_id and d.document_id = e.document_id`;

/** Which documents belong to a type. */
@Injectable()
export class BoundaryStore {
  async texts(tx: Transaction, typeCode: string): Promise<BoundaryTexts> {
    const [row] = await tx.query<BoundaryTexts>(
      `select includes, excludes, rules from ingestion.document_type where group_id = $1 and code = $2`,
      [tx.groupId, typeCode],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }

  async write(tx: Transaction, typeCode: string, { includes, excludes, rules }: Change): Promise<void> {
    await tx.query(
      `update ingestion.document_type set includes = coalesce($3, includes), excludes = coalesce($4, excludes),
         rules = coalesce($5::jsonb, rules), updated_at = now() where group_id = $1 and code = $2`,
      [tx.groupId, typeCode, includes ?? null, excludes ?? null, rules === undefined ? null : JSON.stringify(rules)],
    );
  }

  async examples(tx: Transaction, visibility: Visibility, typeCode: string): Promise<SeenExamples> {
    const visible = visibilitySql(visibility, 'd', 3);
    const seen = await tx.query<{ code: string }>(
      `select d.code from ${EXAMPLE} where e.group_id = $1 and e.type_code = $2 and d.deleted_at is null
         and ${visible.sql} order by d.code collate "C"`,
      [tx.groupId, typeCode, ...visible.params],
    );
    const examples = seen.map(({ code }) => code);
    return { examples, hiddenExamples: (await this.count(tx, typeCode)) - examples.length };
  }

  /**
   * The ids of the examples that a type has once the caller replaces those within visibility: the chosen documents, and
   * the examples that the caller does not see.
   * @throws NotFound for a document that the caller does not see, or of another entity than the type
   * @throws TaxonomyConflict where those that stay leave no room
   */
  async replacedExamples(
    tx: Transaction,
    visibility: Visibility,
    { code, entityCode }: TypePlace,
    documents: readonly string[],
  ): Promise<readonly string[]> {
    const wanted = [...new Set(documents)];
    const visible = visibilitySql(visibility, 'd', 4);
    const chosen = await tx.query<{ id: string }>(
      `select d.document_id as id from ingestion.document d where d.group_id = $1 and d.code = any($2::text[])
         and ($3::text is null or d.entity_code = $3) and d.deleted_at is null and ${visible.sql}`,
      [tx.groupId, wanted, entityCode, ...visible.params],
    );
    if (chosen.length < wanted.length) throw new NotFound();
    const seen = visibilitySql(visibility, 'd', 3);
    const hidden = await tx.query<{ id: string }>(
      `select d.document_id as id from ${EXAMPLE}
       where e.group_id = $1 and e.type_code = $2 and d.deleted_at is null and (${seen.sql}) is not true`,
      [tx.groupId, code, ...seen.params],
    );
    const all = [...chosen, ...hidden].map(({ id }) => id);
    if (all.length > MOST_EXAMPLES) throw new TaxonomyConflict('TOO_MANY', { most: MOST_EXAMPLES });
    return all;
  }

  /** Replaces the examples that the caller sees. @throws NotFound, TaxonomyConflict */
  async replaceExamples(
    tx: Transaction,
    visibility: Visibility,
    place: TypePlace,
    documents: readonly string[],
  ): Promise<void> {
    const examples = await this.replacedExamples(tx, visibility, place, documents);
    const params = [tx.groupId, place.code, examples];
    await tx.query(
      `delete from ingestion.type_example where group_id = $1 and type_code = $2 and document_id <> all($3::uuid[])`,
      params,
    );
    await tx.query(
      `insert into ingestion.type_example (group_id, type_code, document_id)
       select d.group_id, $2, d.document_id from ingestion.document d
       where d.group_id = $1 and d.document_id = any($3::uuid[]) on conflict do nothing`,
      params,
    );
  }

  /** Examples that are not deleted, visible or not. */
  private async count(tx: Transaction, typeCode: string): Promise<number> {
    const [row] = await tx.query<{ examples: number }>(
      `select count(*)::int as examples from ${EXAMPLE}
       where e.group_id = $1 and e.type_code = $2 and d.deleted_at is null`,
      [tx.groupId, typeCode],
    );
    return row?.examples ?? 0;
  }
}
