import { Injectable } from '@nestjs/common';
import {
  describeOperation,
  type Empty,
  listOperations,
  listPublishedOperations,
  type Operation,
  type OperationDetail,
  type OperationItem,
  type OperationList,
  type OperationReference,
  type PublishedOperations,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Scope, WorkScope } from '@acervo/rbac';
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

  @Handles(listPublishedOperations)
  async listPublished(_scope: WorkScope, _input: Empty): Promise<PublishedOperations> {
    return { operations: this.catalogue.entries.map(({ operation }) => itemOf(operation)) };
  }

  @Handles(describeOperation)
  async describe(scope: Scope, { code }: OperationReference): Promise<OperationDetail> {
    const { operation, ...schemas } = this.catalogue.find(scope, code);
    return { ...itemOf(operation), ...schemas };
  }
}
