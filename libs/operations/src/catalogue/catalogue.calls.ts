import {
  describeOperation,
  type Empty,
  listOperations,
  type OperationDetail,
  type OperationItem,
  type OperationList,
  type OperationReference,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import type { Catalogue, Entry } from './catalogue';

const itemOf = ({ code, kind, screens }: Entry): OperationItem => ({
  code,
  kind,
  confirmRequired: kind === 'write_confirm',
  functions: screens,
});

/** Tells callers what they may do. */
export class CatalogueCalls {
  constructor(private readonly catalogue: Catalogue) {}

  @Handles(listOperations)
  async list(scope: Scope, _input: Empty): Promise<OperationList> {
    const operations = this.catalogue.reachable(scope).map(itemOf);
    return { operations, total: operations.length };
  }

  @Handles(describeOperation)
  async describe(scope: Scope, { code }: OperationReference): Promise<OperationDetail> {
    const entry = this.catalogue.find(scope, code);
    return { ...itemOf(entry), inputSchema: entry.inputSchema, outputSchema: entry.outputSchema };
  }
}
