import { describeFunction, type FunctionCode, type FunctionDetail, getFunction } from '@acervo/contracts';
import { type Calls, Handles } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import type { Catalogue } from './catalogue';

/** Tells what the screens of the application are for and what can be done there. */
export class FunctionsCalls {
  constructor(
    private readonly calls: Calls,
    private readonly catalogue: Catalogue,
  ) {}

  @Handles(getFunction)
  async get(scope: Scope, { functionCode }: FunctionCode): Promise<FunctionDetail> {
    const { behaviours, document, ...told } = await this.calls.send(describeFunction, scope, { code: functionCode });
    const operations = this.catalogue
      .reachable(scope)
      .filter(({ screens }) => screens.some((screen) => screen === functionCode))
      .map(({ code, kind }) => ({ code, kind }));
    return { ...told, documentation: document ?? '', behaviors: behaviours, operations };
  }
}
