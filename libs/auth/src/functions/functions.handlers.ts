import { Injectable } from '@nestjs/common';
import {
  type ApplicationItems,
  type CompiledDocument,
  createFunction,
  deleteFunction,
  describeFunction,
  type Empty,
  type FunctionChange,
  type FunctionDraft,
  type FunctionListRequest,
  type FunctionOrder,
  type FunctionRecord,
  type FunctionRecords,
  type FunctionReference,
  type FunctionUpdate,
  generateFunctionDocument,
  InvalidInput,
  listApplications,
  listFunctions,
  NotFound,
  type Removed,
  reorderFunctions,
  updateFunction,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { ApplicationStore } from '../applications/application.store';
import { compileFunction } from '../function-catalogue/markdown';
import { assertSystem } from '../kernel/authority';
import { Directory } from '../accounts/directory';
import { inOrder } from '../kernel/ordering';
import { PeopleConflict } from '../kernel/auth.errors';
import { FunctionStore, isBuiltIn } from './function.store';
import { ViewTexts } from './view-texts';

/** @throws InvalidInput where titles repeat or a behaviour belongs to no section. */
const assertConsistent = ({
  sections,
  behaviours,
}: Required<Pick<FunctionChange, 'sections' | 'behaviours'>>): void => {
  const titles = new Set(sections.map(({ title }) => title));
  const invalid = [
    ...(titles.size < sections.length ? ['secciones'] : []),
    ...(behaviours.every(({ section }) => titles.has(section)) ? [] : ['comportamientos']),
  ];
  if (invalid.length > 0) throw new InvalidInput({ missing: [], invalid, unknown: 0 });
};

/** The functions of the product. Read by administrators, changed by SYSTEM users. */
@Injectable()
export class FunctionsHandlers {
  constructor(
    private readonly database: Database,
    private readonly catalogue: CatalogueDatabase,
    private readonly directory: Directory,
    private readonly functions: FunctionStore,
    private readonly apps: ApplicationStore,
    private readonly views: ViewTexts,
  ) {}

  @Handles(listFunctions)
  async list(scope: Scope, { groupCode, application }: FunctionListRequest): Promise<FunctionRecords> {
    const group = await this.directory.groupFor(scope, groupCode);
    const filter = { assignedOnly: groupCode !== undefined, application };
    const rows = await this.database.read(group, (tx) => this.functions.list(tx, filter));
    return { items: await this.views.records(rows) };
  }

  @Handles(listApplications)
  async applications(scope: Scope, _input: Empty): Promise<ApplicationItems> {
    return { items: await this.database.read(scope, (tx) => this.apps.list(tx)) };
  }

  @Handles(describeFunction)
  async describe(scope: Scope, { code }: FunctionReference): Promise<FunctionRecord> {
    if (!scope.functions.includes(code)) throw new NotFound();
    const row = await this.database.read(scope, (tx) => this.functions.get(tx, code));
    return this.views.record({ ...row, document: row.document ?? compileFunction(row) });
  }

  @Handles(createFunction)
  async create(scope: Scope, draft: FunctionDraft, context: WriteContext): Promise<FunctionRecord> {
    assertSystem(scope);
    assertConsistent({ sections: draft.sections ?? [], behaviours: draft.behaviours ?? [] });
    return context.writeAs(this.catalogue, async (tx) => {
      await this.functions.create(tx, draft);
      return this.views.record(await this.functions.get(tx, draft.code));
    });
  }

  @Handles(updateFunction)
  async update(scope: Scope, { code, ...change }: FunctionUpdate, context: WriteContext): Promise<FunctionRecord> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      await this.functions.update(tx, code, change);
      const row = await this.functions.get(tx, code);
      assertConsistent(row);
      return this.views.record(row);
    });
  }

  @Handles(deleteFunction)
  async delete(scope: Scope, { code }: FunctionReference, context: WriteContext): Promise<Removed> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      await this.functions.get(tx, code);
      if (isBuiltIn(code)) throw new PeopleConflict('FUNCTION_BUILT_IN');
      await this.functions.delete(tx, code);
      return { removed: true };
    });
  }

  @Handles(reorderFunctions)
  async reorder(scope: Scope, { places }: FunctionOrder, context: WriteContext): Promise<FunctionRecords> {
    assertSystem(scope);
    const ordered = inOrder(places.map(({ code, position }) => ({ key: code, position })));
    return context.writeAs(this.catalogue, async (tx) => {
      if ((await this.functions.order(tx, ordered)) < ordered.length) throw new NotFound();
      const rows = await this.functions.list(tx, { assignedOnly: false, application: undefined });
      return { items: await this.views.records(rows) };
    });
  }

  @Handles(generateFunctionDocument)
  async generateDocument(scope: Scope, { code }: FunctionReference, context: WriteContext): Promise<CompiledDocument> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      const document = compileFunction(await this.functions.get(tx, code));
      const at = await this.functions.keepDocument(tx, code, document);
      return { document, documentedAt: at.toISOString() };
    });
  }
}
