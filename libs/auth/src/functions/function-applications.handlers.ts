import { Injectable } from '@nestjs/common';
import {
  addFunctionApplication,
  type ApplicationItem,
  type ApplicationItems,
  type AssignFunctionApplication,
  type FunctionApplicationReference,
  type FunctionReference,
  listFunctionApplications,
  type Removed,
  removeFunctionApplication,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { ApplicationStore } from '../applications/application.store';
import { CatalogueDatabase } from '../databases/databases';
import { assertSystem } from '../kernel/authority';
import { FunctionStore } from './function.store';

/** The applications that show a function. */
@Injectable()
export class FunctionApplicationsHandlers {
  constructor(
    private readonly database: Database,
    private readonly catalogue: CatalogueDatabase,
    private readonly functions: FunctionStore,
    private readonly applications: ApplicationStore,
  ) {}

  @Handles(listFunctionApplications)
  listApplications(scope: Scope, { code }: FunctionReference): Promise<ApplicationItems> {
    return this.database.read(scope, async (tx) => {
      await this.functions.get(tx, code);
      return { items: await this.functions.applications(tx, code) };
    });
  }

  @Handles(addFunctionApplication)
  async addApplication(
    scope: Scope,
    { code, applicationCode }: AssignFunctionApplication,
    context: WriteContext,
  ): Promise<ApplicationItem> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      await this.functions.get(tx, code);
      const application = await this.applications.get(tx, applicationCode);
      await this.functions.addApplication(tx, code, applicationCode);
      return application;
    });
  }

  @Handles(removeFunctionApplication)
  async removeApplication(
    scope: Scope,
    { code, applicationCode }: FunctionApplicationReference,
    context: WriteContext,
  ): Promise<Removed> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      await this.functions.removeApplication(tx, code, applicationCode);
      return { removed: true };
    });
  }
}
