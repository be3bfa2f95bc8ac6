import type { Database } from '@acervo/platform-database';

/** A type with the types above it, from the top down. */
type TypePath = readonly string[];

interface FoundInDocument {
  readonly category: string;
  readonly code: string;
  readonly value?: string;
  readonly quote?: string;
  readonly confidence?: number;
}

/** Writes types and features of documents as classification does, without classifying anything. */
export class ClassifiedDocuments {
  constructor(
    private readonly database: Database,
    private readonly groupId: string,
  ) {}

  /** Gives a document its type; unknown types on the path are created. */
  async type(documentCode: string, path: TypePath): Promise<void> {
    const { groupId } = this;
    await this.database.write({ groupId }, async (tx) => {
      for (const [index, code] of path.entries())
        await tx.query(
          `insert into ingestion.document_type (group_id, code, name, parent_code) values ($1, $2, $3, $4)
           on conflict do nothing`,
          [groupId, code, `Tipo ${code}`, path[index - 1] ?? null],
        );
      await tx.query(
        `insert into ingestion.document_class (group_id, document_id, content_hash, taxonomy_version, type_code, source)
         select group_id, document_id, '', 1, $3, 'RULE' from ingestion.document where group_id = $1 and code = $2
         on conflict (group_id, document_id) do update set type_code = excluded.type_code`,
        [groupId, documentCode, path.at(-1)],
      );
    });
  }

  /** Adds features to a document; unknown categories belong to this type. */
  async features(documentCode: string, typeCode: string, found: readonly FoundInDocument[]): Promise<void> {
    const { groupId } = this;
    await this.database.write({ groupId }, async (tx) => {
      for (const { category, code, value = null, quote = 'quote', confidence = 1 } of found) {
        const kind = value === null ? ['CHARACTERISTIC', null] : ['ATTRIBUTE', 'TEXT'];
        await tx.query(
          `insert into ingestion.feature_category (group_id, code, type_code, name, kind, value_kind)
           values ($1, $2, $3, $2, $4, $5) on conflict do nothing`,
          [groupId, category, typeCode, ...kind],
        );
        await tx.query(
          `insert into ingestion.feature (group_id, category_code, code, name) values ($1, $2, $3, 'Rasgo ' || $3)
           on conflict do nothing`,
          [groupId, category, code],
        );
        await tx.query(
          `insert into ingestion.document_feature (group_id, document_id, category_code, code, value, source, confidence,
             page, start_at, end_at, quote)
           select group_id, document_id, $3, $4, $5, 'RULE', $6, 2, 10, 10 + length($7), $7
           from ingestion.document where group_id = $1 and code = $2`,
          [groupId, documentCode, category, code, value, confidence, quote],
        );
      }
    });
  }

  async deleteType(code: string): Promise<void> {
    await this.delete('document_type', code);
  }

  async deleteFeature(code: string): Promise<void> {
    await this.delete('feature', code);
  }

  private async delete(table: 'document_type' | 'feature', code: string): Promise<void> {
    const { groupId } = this;
    await this.database.write({ groupId }, (tx) =>
      tx.query(`delete from ingestion.${table} where group_id = $1 and code = $2`, [groupId, code]),
    );
  }
}
