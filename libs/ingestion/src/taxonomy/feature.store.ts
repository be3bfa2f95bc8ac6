import { Injectable } from '@nestjs/common';
import { type FeatureItem, type FeaturePhrases, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Feature, FeatureRule } from './taxonomy';
import { TaxonomyConflict } from './taxonomy.errors';

type Phrases = FeatureRule['phrases'];

/** Changes of a feature; undefined ones stay, null ones are cleared. */
export interface FeatureChange {
  readonly name: string | undefined;
  readonly pattern: string | null | undefined;
  readonly phrases: Phrases | undefined;
  readonly prompt: string | null | undefined;
}

interface Row extends Omit<FeatureItem, 'phrases'> {
  readonly phrases: Phrases;
}

const ROW = `select category_code as "categoryCode", code, name, pattern, phrases, prompt from ingestion.feature
where group_id = $1 and category_code = $2`;

/** Phrases as they are stored: by language, each once, without blank ones. */
export const phrasesByLanguage = (listed: readonly FeaturePhrases[]): Phrases => {
  const all = new Map<string, readonly string[]>();
  for (const { language, phrases } of listed) {
    const trimmed = phrases.map((phrase) => phrase.trim()).filter((phrase) => phrase !== '');
    all.set(language, [...new Set([...(all.get(language) ?? []), ...trimmed])]);
  }
  return Object.fromEntries(all);
};

const itemOf = ({ phrases, ...row }: Row): FeatureItem => ({
  ...row,
  phrases: Object.entries(phrases)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([language, texts]) => ({ language: language as FeaturePhrases['language'], phrases: texts })),
});

/** The features of categories. */
@Injectable()
export class FeatureStore {
  async list(tx: Transaction, categoryCode: string): Promise<FeatureItem[]> {
    const rows = await tx.query<Row>(`${ROW} order by code collate "C"`, [tx.groupId, categoryCode]);
    return rows.map(itemOf);
  }

  /** @throws NotFound */
  async get(tx: Transaction, categoryCode: string, code: string): Promise<FeatureItem> {
    const [row] = await tx.query<Row>(`${ROW} and code = $3`, [tx.groupId, categoryCode, code]);
    if (row === undefined) throw new NotFound();
    return itemOf(row);
  }

  /** Features of the category, and of the group. */
  async counts(tx: Transaction, categoryCode: string): Promise<{ ofCategory: number; ofGroup: number }> {
    const [row] = await tx.query<{ ofCategory: number; ofGroup: number }>(
      `select count(*) filter (where category_code = $2)::int as "ofCategory", count(*)::int as "ofGroup"
       from ingestion.feature where group_id = $1`,
      [tx.groupId, categoryCode],
    );
    return row ?? { ofCategory: 0, ofGroup: 0 };
  }

  /** @throws TaxonomyConflict for a code that is taken. */
  async create(tx: Transaction, { categoryCode, code, name, rule, prompt }: Feature): Promise<void> {
    const made = await tx.query(
      `insert into ingestion.feature (group_id, category_code, code, name, pattern, phrases, prompt)
       values ($1, $2, $3, $4, $5, $6::jsonb, $7) on conflict do nothing returning code`,
      [tx.groupId, categoryCode, code, name, rule.pattern, JSON.stringify(rule.phrases), prompt],
    );
    if (made.length === 0) throw new TaxonomyConflict('CODE_TAKEN');
  }

  async update(tx: Transaction, categoryCode: string, code: string, change: FeatureChange): Promise<void> {
    const { name, pattern, phrases, prompt } = change;
    await tx.query(
      `update ingestion.feature set name = coalesce($4, name), phrases = coalesce($5::jsonb, phrases),
         pattern = case when $6 then $7 else pattern end, prompt = case when $8 then $9 else prompt end, updated_at = now()
       where group_id = $1 and category_code = $2 and code = $3`,
      [
        tx.groupId,
        categoryCode,
        code,
        name ?? null,
        phrases === undefined ? null : JSON.stringify(phrases),
        pattern !== undefined,
        pattern ?? null,
        prompt !== undefined,
        prompt ?? null,
      ],
    );
  }

  async delete(tx: Transaction, categoryCode: string, code: string): Promise<void> {
    await tx.query(`delete from ingestion.feature where group_id = $1 and category_code = $2 and code = $3`, [
      tx.groupId,
      categoryCode,
      code,
    ]);
  }
}
