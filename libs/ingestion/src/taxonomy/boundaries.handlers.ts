import { Injectable } from '@nestjs/common';
import {
  type BoundaryRecord,
  type BoundaryRuleItem,
  type BoundaryUpdate,
  type DocumentTypeReference,
  getBoundary,
  InvalidMeaning,
  setBoundary,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import { BoundaryStore } from './boundary.store';
import { DocumentTypeStore } from './document-type.store';
import { checkRules } from './pattern-check';
import { TaxonomyChanges } from './taxonomy-changes';
import { TypeReach } from './type-reach';

/** The stored form of a rule: its declared fields and nothing else. */
const ruleOf = ({ field, match, value, effect }: BoundaryRuleItem): BoundaryRuleItem => ({
  ...{ field, match, value, effect },
});

/** Which documents belong to each type. Examples are documents: a caller sees and sets those within visibility. */
@Injectable()
export class BoundariesHandlers {
  constructor(
    private readonly database: Database,
    private readonly types: DocumentTypeStore,
    private readonly boundaries: BoundaryStore,
    private readonly changes: TaxonomyChanges,
  ) {}

  @Handles(getBoundary)
  get(scope: Scope, { documentTypeCode }: DocumentTypeReference): Promise<BoundaryRecord> {
    const [reach, visibility] = [TypeReach.of(scope), visibilityOf(scope)];
    return this.database.read(scope, async (tx) => {
      await this.types.place(tx, reach, documentTypeCode);
      return this.recordOf(tx, visibility, documentTypeCode);
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing. */
  @Handles(setBoundary)
  set(scope: Scope, change: BoundaryUpdate, context: WriteContext): Promise<BoundaryRecord> {
    const { documentTypeCode: code, includes, excludes, rules, examples } = change;
    if ([includes, excludes, rules, examples].every((each) => each === undefined))
      throw new InvalidMeaning(['includes', 'excludes', 'rules', 'examples']);
    checkRules(rules ?? [], 'rules.value');
    const texts = { includes, excludes, rules: rules?.map(ruleOf) };
    const [reach, visibility] = [TypeReach.of(scope), visibilityOf(scope)];
    return context.write(async (tx) => {
      await this.changes.lock(tx);
      const place = await this.types.place(tx, reach, code);
      reach.assertChanges(place.entityCode);
      await this.boundaries.write(tx, code, texts);
      if (examples !== undefined) await this.boundaries.replaceExamples(tx, visibility, place, examples);
      await this.changes.typesChanged(tx);
      return this.recordOf(tx, visibility, code);
    });
  }

  private async recordOf(tx: Transaction, visibility: Visibility, code: string): Promise<BoundaryRecord> {
    const texts = await this.boundaries.texts(tx, code);
    return { documentTypeCode: code, ...texts, ...(await this.boundaries.examples(tx, visibility, code)) };
  }
}
