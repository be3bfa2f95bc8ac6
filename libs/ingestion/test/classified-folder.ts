import { registerFolder, startRun } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { ClassificationBacklog } from '../src/taxonomy/classification-backlog';
import { TaxonomyChanges } from '../src/taxonomy/taxonomy-changes';
import { type Bench, newGroup } from './bench';

/** The parts of a type that a test names. */
export interface TypeDraft {
  readonly code: string;
  readonly parent?: string;
  readonly entity?: string;
  readonly includes?: string;
  /** A word that the text of its documents has. */
  readonly word?: string;
}

export interface ClassRow {
  readonly name: string;
  readonly type: string | null;
  readonly source: string | null;
  readonly awaits: boolean;
  readonly version: number;
  readonly features: readonly string[];
}

/** A group with a folder and a taxonomy. */
export class ClassifiedFolder {
  private static opened = 0;

  private constructor(
    private readonly bench: Bench,
    readonly groupId: string,
    readonly location: string,
    readonly path: string,
  ) {}

  static async of(bench: Bench, files: Readonly<Record<string, string | Uint8Array>>): Promise<ClassifiedFolder> {
    const groupId = newGroup();
    const path = bench.folder(`classified-${(ClassifiedFolder.opened += 1)}`, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    return new ClassifiedFolder(bench, groupId, String(location_code), path);
  }

  scan(): Promise<object> {
    return this.bench.ask(startRun, this.groupId, { location_code: this.location });
  }

  sql<R extends object>(text: string, ...params: readonly unknown[]): Promise<R[]> {
    return this.bench.database.write(this, (tx) => tx.query<R>(text, [this.groupId, ...params]));
  }

  /** Adds or replaces types. */
  async describe(...types: readonly TypeDraft[]): Promise<void> {
    await this.change(async (tx, changes) => {
      for (const type of types) await this.writeType(tx, type);
      await changes.typesChanged(tx);
    });
  }

  async removeTypes(): Promise<void> {
    await this.change(async (tx, changes) => {
      await tx.query(`delete from ingestion.document_type where group_id = $1`, [tx.groupId]);
      await changes.typesChanged(tx);
    });
  }

  /** A feature that is there where the text has a phrase. */
  async addFeature(typeCode: string, code: string, phrase: string, kind = 'CHARACTERISTIC'): Promise<void> {
    await this.change(async (tx, changes) => {
      await tx.query(
        `insert into ingestion.feature_category (group_id, code, type_code, name, kind, value_kind)
         values ($1, $2, $3, $2, $4, case when $4 = 'ATTRIBUTE' then 'TEXT' end)`,
        [tx.groupId, `C-${code}`, typeCode, kind],
      );
      await tx.query(
        `insert into ingestion.feature (group_id, category_code, code, name, phrases) values ($1, $2, $3, $3, $4::jsonb)`,
        [tx.groupId, `C-${code}`, code, JSON.stringify({ es: [phrase] })],
      );
      await changes.featuresChanged(tx, typeCode);
    });
  }

  /** What the documents are, by name. */
  classes(): Promise<ClassRow[]> {
    return this.sql<ClassRow>(
      `select d.name, c.type_code as type, c.source, c.awaits_vector as awaits, c.taxonomy_version::int as version,
         array(select f.code from ingestion.document_feature f
           where f.group_id = c.group_id and f.document_id = c.document_id order by 1) as features
       from ingestion.document_class c join ingestion.document d using (group_id, document_id)
       where c.group_id = $1 order by d.name`,
    );
  }

  /** Schedules what the end of a comparison does; answers the rounds that are open then. */
  async lookAtEvery(): Promise<object[]> {
    await this.bench.database.write(this, (tx) => this.bench.instance(ClassificationBacklog).lookAtEvery(tx));
    return this.sql(
      `select generation, status from ingestion.task
       where group_id = $1 and stage = 'classify-again' and status = 'WAITING'`,
    );
  }

  /** The types of documents by name, as published last. */
  async publishedTypes(): Promise<Record<string, unknown>> {
    const events = await this.bench.published();
    return Object.fromEntries(
      events
        .filter(({ topic }) => ['document.described.v1', 'document.prepared.v1'].includes(String(topic)))
        .map(({ payload }) => payload as { name: string; type_codes?: unknown })
        .map(({ name, type_codes: types }) => [name, types]),
    );
  }

  private change(work: (tx: Transaction, changes: TaxonomyChanges) => Promise<void>): Promise<void> {
    return this.bench.database.write(this, (tx) => work(tx, this.bench.instance(TaxonomyChanges)));
  }

  private async writeType(tx: Transaction, { code, parent, entity, includes = '', word }: TypeDraft): Promise<void> {
    const rules =
      word === undefined ? [] : [{ field: 'TEXT', match: 'CONTAINS', value: word, effect: 'REQUIRES' as const }];
    await tx.query(
      `insert into ingestion.document_type (group_id, code, name, parent_code, entity_code, includes, rules)
       values ($1, $2, $2, $3, $4, $5, $6::jsonb)
       on conflict (group_id, code) do update set parent_code = excluded.parent_code, entity_code = excluded.entity_code,
         includes = excluded.includes, rules = excluded.rules`,
      [tx.groupId, code, parent ?? null, entity ?? null, includes, JSON.stringify(rules)],
    );
  }
}
