import { Injectable } from '@nestjs/common';
import {
  describeOperation,
  type Empty,
  listOperations,
  type Operation,
  type OperationDetail,
  type OperationItem,
  type OperationList,
  type OperationReference,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { OperationCatalogue } from './operation-catalogue';

const itemOf = ({ code, kind, screens }: Operation): OperationItem => ({
  code,
  kind,
  confirmRequired: kind === 'write_confirm',
  functions: screens,
});

/** Lists and describes the operations that a caller may run. */
@Injectable()
export class OperationCatalogueHandlers {
  constructor(private readonly catalogue: OperationCatalogue) {}

  @Handles(listOperations)
  async list(scope: Scope, _input: Empty): Promise<OperationList> {
    const operations = this.catalogue.reachable(scope).map(itemOf);
    return { operations, total: operations.length };
  }

  @Handles(describeOperation)
  async describe(scope: Scope, { code }: OperationReference): Promise<OperationDetail> {
    const { operation, ...schemas } = this.catalogue.find(scope, code);
    return { ...itemOf(operation), ...schemas };
  }
}
