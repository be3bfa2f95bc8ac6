import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Classifiers } from '../classification/classifiers';
import { CHOOSES } from '../classification/model-findings';
import { OpeningVectors } from '../classification/opening-vectors';
import type { ClassifiableRow } from '../reclassification/stale-documents.store';
import type { PipelineSkill } from '../skills/pipeline-skills';
import { isAsked, type Taxonomy } from '../taxonomy/taxonomy';
import { choiceQuestion, type DescribedFeature, featuresQuestion, type Question } from './question';

/** Finds out what rules and similarity leave to a model. */
@Injectable()
export class ModelQuestions {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly classifiers: Classifiers,
    private readonly vectors: OpeningVectors,
  ) {}

  /** Undefined where nothing is left, or a vector may still decide. */
  async of(scope: TenantScope, { code }: PipelineSkill, row: ClassifiableRow): Promise<Question | undefined> {
    const { version, isEligible, awaitsVector } = row;
    if (!isEligible || version === null || (awaitsVector && this.vectors.isPossible)) return undefined;
    const classifier = await this.classifiers.at(scope, version);
    if (classifier === null) return undefined;
    const { taxonomy } = classifier;
    if (code === CHOOSES) {
      const types = row.candidates.flatMap((candidate) => taxonomy.types.find((type) => type.code === candidate) ?? []);
      return types.length === 0 ? undefined : choiceQuestion(types);
    }
    const features = await this.features(scope, row, taxonomy);
    return features.length === 0 ? undefined : featuresQuestion(features);
  }

  /** The features of its type and of the types above it that have a prompt, and that no rule found. */
  private async features(
    scope: TenantScope,
    { documentId, typeCodes }: ClassifiableRow,
    { categories, features }: Taxonomy,
  ): Promise<readonly DescribedFeature[]> {
    const kinds = new Map(
      categories
        .filter(({ typeCode }) => typeCodes.includes(typeCode))
        .map(({ code, valueKind }) => [code, valueKind] as const),
    );
    const wanted = features.filter((feature) => isAsked(feature) && kinds.has(feature.categoryCode));
    if (wanted.length === 0) return [];
    const ruled = await this.database.read(scope, (tx) => this.foundByRules(tx, documentId));
    return wanted
      .filter(({ categoryCode, code }) => !ruled.has(`${categoryCode},${code}`))
      .map((feature) => ({ ...feature, valueKind: kinds.get(feature.categoryCode) ?? null }))
      .toSorted((a, b) => (`${a.categoryCode},${a.code}` < `${b.categoryCode},${b.code}` ? -1 : 1));
  }

  private async foundByRules(tx: Transaction, documentId: string): Promise<ReadonlySet<string>> {
    const rows = await tx.prepared<{ name: string }>(
      `select category_code || ',' || code as name from ingestion.document_feature
       where group_id = $1 and document_id = $2 and source = 'RULE'`,
      [tx.groupId, documentId],
    );
    return new Set(rows.map(({ name }) => name));
  }
}
