import { Injectable } from '@nestjs/common';
import {
  aliasOfFunction,
  type Catalog,
  type CatalogRequest,
  describeFunction,
  type FunctionCode,
  type FunctionDetail,
  getFunction,
  listCatalog,
  listFunctions,
  listSkills,
} from '@acervo/contracts';
import { Calls, Handles } from '@acervo/platform-calls';
import { functionSummary } from '@acervo/public-mapping';
import type { Scope } from '@acervo/rbac';
import { OperationCatalogue } from './operation-catalogue';

/** Describes the screens of the application: their purpose and their operations. */
@Injectable()
export class FunctionsHandlers {
  constructor(
    private readonly calls: Calls,
    private readonly catalogue: OperationCatalogue,
  ) {}

  /** Exactly the functions that `get` describes to the caller, and the skills that may be run by name. */
  @Handles(listCatalog)
  async list(scope: Scope, { type }: CatalogRequest): Promise<Catalog> {
    const all = type === 'SKILLS' ? [] : (await this.calls.send(listFunctions, scope, {})).items;
    const functions = all
      .filter(({ code }) => scope.functions.includes(code))
      .map(({ code, name, description }) => ({ code, name, alias: aliasOfFunction(code), description }));
    const { skills } = type === 'FUNCTIONS' ? { skills: [] } : await this.calls.send(listSkills, scope, {});
    return { functions, skills, totalFunctions: functions.length, totalSkills: skills.length };
  }

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
      summary: functionSummary.toPublic(fields.summary),
      documentation: document ?? '',
      behaviors: behaviours.map(({ class: kind, section, text }) => ({ class: kind, section, text })),
      operations,
    };
  }
}
