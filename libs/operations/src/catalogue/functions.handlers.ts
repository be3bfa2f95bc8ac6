import { Injectable } from '@nestjs/common';
import {
  aliasOfFunction,
  describeFunction,
  type FunctionCode,
  type FunctionDetail,
  getFunction,
} from '@acervo/contracts';
import { Calls, Handles } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { OperationCatalogue } from './operation-catalogue';

/** Describes the screens of the application: their purpose and their operations. */
@Injectable()
export class FunctionsCalls {
  constructor(
    private readonly calls: Calls,
    private readonly catalogue: OperationCatalogue,
  ) {}

  @Handles(getFunction)
  async get(scope: Scope, { functionCode }: FunctionCode): Promise<FunctionDetail> {
    const { behaviours, document, ...fields } = await this.calls.send(describeFunction, scope, { code: functionCode });
    const operations = this.catalogue
      .reachable(scope)
      .filter(({ screens }) => screens.some((screen) => screen === functionCode))
      .map(({ code, kind }) => ({ code, kind }));
    return {
      ...fields,
      alias: aliasOfFunction(functionCode),
      documentation: document ?? '',
      behaviors: behaviours,
      operations,
    };
  }
}
