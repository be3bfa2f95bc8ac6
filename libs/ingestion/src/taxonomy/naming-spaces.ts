import { Injectable } from '@nestjs/common';
import { countSpacesNaming } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';

/** A feature with what its category says of it. */
export interface NamedFeature {
  readonly kind: 'ATTRIBUTE' | 'CHARACTERISTIC';
  readonly code: string;
}

const codesOf = (features: readonly NamedFeature[], kind: NamedFeature['kind']): readonly string[] => [
  ...new Set(features.filter((feature) => feature.kind === kind).map(({ code }) => code)),
];

/** Counts the spaces whose criteria name types or features. Retrieval stores them, and is asked outside of transactions. */
@Injectable()
export class NamingSpaces {
  constructor(private readonly calls: Calls) {}

  /** The features of a type's own categories, or of one category. */
  features(
    tx: Transaction,
    of: { readonly typeCode?: string; readonly categoryCode?: string },
  ): Promise<NamedFeature[]> {
    return tx.query<NamedFeature>(
      `select c.kind, f.code from ingestion.feature f
       join ingestion.feature_category c on c.group_id = f.group_id and c.code = f.category_code
       where f.group_id = $1 and (c.type_code = $2 or c.code = $3) order by f.code collate "C"`,
      [tx.groupId, of.typeCode ?? null, of.categoryCode ?? null],
    );
  }

  async count(scope: Scope, documentTypes: readonly string[], features: readonly NamedFeature[]): Promise<number> {
    if (documentTypes.length + features.length === 0) return 0;
    const [attributes, characteristics] = [codesOf(features, 'ATTRIBUTE'), codesOf(features, 'CHARACTERISTIC')];
    return (await this.calls.send(countSpacesNaming, scope, { documentTypes, attributes, characteristics })).spaces;
  }
}
