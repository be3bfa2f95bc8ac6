import type { SpaceCriteria } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';

/** Evaluates the query of criteria: the best documents of a hybrid search, as the caller finds them. */
export abstract class QueriedDocuments {
  /**
   * The ids of the documents, within the other criteria; counts one retrieval. Called outside of any transaction.
   * @param entityCode the only entity of the space; null for the whole group
   */
  abstract find(scope: Scope, criteria: SpaceCriteria, entityCode: string | null): Promise<readonly string[]>;
}
