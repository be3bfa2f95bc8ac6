import { Injectable } from '@nestjs/common';
import type { SpaceCriteria } from '@acervo/contracts';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { type SearchedDocuments, searchedDocuments } from '../../legs/searched-documents';
import { Finder } from '../../search/finder';
import { criteriaSql } from '../../space-members/criteria-sql';
import { QueriedDocuments } from '../queried-documents';

/** Documents of a query that names no limit. */
const USUAL_LIMIT = 1_000;

/** What the caller sees of the documents that fulfil the other criteria, within the entity of a space. */
const searchedFor = (scope: Scope, criteria: SpaceCriteria, entityCode: string | null): SearchedDocuments => {
  const { query: _query, minSimilarity: _least, queryLimit: _limit, ...narrowing } = criteria;
  const { documentTypes: _types, attributes: _attributes, characteristics: _characteristics, ...others } = narrowing;
  const visibility = visibilityOf(scope);
  const entities = visibility.entities.filter((code) => entityCode === null || code === entityCode);
  // Codes narrow every engine; the database compares the rest.
  const searched = searchedDocuments({ ...visibility, entities }, narrowing);
  const isCompared = Object.values(others).some((value) => value !== undefined);
  return isCompared ? { ...searched, condition: (alias, first) => criteriaSql(others, alias, first) } : searched;
};

/** Finds the documents of queries by hybrid search. */
@Injectable()
export class SearchedQueries extends QueriedDocuments {
  constructor(private readonly finder: Finder) {
    super();
  }

  async find(scope: Scope, criteria: SpaceCriteria, entityCode: string | null): Promise<readonly string[]> {
    const { query, minSimilarity = 0, queryLimit: limit = USUAL_LIMIT } = criteria;
    if (query === undefined) return [];
    return this.finder.best(scope, searchedFor(scope, criteria, entityCode), { query, minSimilarity, limit });
  }
}
