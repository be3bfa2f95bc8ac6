import { Injectable } from '@nestjs/common';
import {
  type FunctionReference,
  type FunctionView,
  type GeneratedFunctionView,
  generateFunctionView,
  type SyncedFunctionView,
  syncFunctionView,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, isRefusedStatement } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { templateView } from '../function-views/view-template';
import { type CheckedView, checkedView } from '../function-views/view-statement';
import { ViewRefused } from '../function-views/view.errors';
import { PeopleConflict } from '../kernel/auth.errors';
import { assertSystem } from '../kernel/authority';
import { FunctionStore } from './function.store';
import { ViewStore, type ViewTimes } from './view.store';

/** A view without rows has no reason to take longer. */
const LIMITS = { statement_timeout: '2s' } as const;

const viewOf = ({ text }: CheckedView, { generatedAt, syncedAt }: ViewTimes): FunctionView => ({
  statement: text,
  generatedAt: generatedAt.toISOString(),
  syncedAt: syncedAt?.toISOString() ?? null,
});

/** Generates and applies the views of functions. */
@Injectable()
export class ViewsHandlers {
  constructor(
    private readonly database: Database,
    private readonly catalogue: CatalogueDatabase,
    private readonly functions: FunctionStore,
    private readonly views: ViewStore,
  ) {}

  @Handles(generateFunctionView)
  async generate(scope: Scope, { code }: FunctionReference, context: WriteContext): Promise<GeneratedFunctionView> {
    assertSystem(scope);
    const view = await templateView(code);
    return context.writeAs(this.catalogue, async (tx) => {
      await this.functions.get(tx, code);
      return { code, ...viewOf(view, await this.views.save(tx, code, view.tree)) };
    });
  }

  @Handles(syncFunctionView)
  async sync(scope: Scope, { code }: FunctionReference, context: WriteContext): Promise<SyncedFunctionView> {
    assertSystem(scope);
    const view = await this.usable(scope, code);
    return context.writeAs(this.catalogue, async (tx) => {
      const times = await this.views.date(tx, code, view.tree);
      if (times === undefined) throw new PeopleConflict('VIEW_CHANGED');
      return { code, ...viewOf(view, times), columns: view.columns };
    });
  }

  /** The stored view, checked again: what is published may have changed since. It runs in the caller's group, for no rows. */
  private async usable(scope: Scope, code: string): Promise<CheckedView> {
    const stored = await this.database.read(scope, async (tx) => {
      await this.functions.get(tx, code);
      return this.views.find(tx, code);
    });
    if (stored === undefined) throw new PeopleConflict('VIEW_MISSING');
    try {
      const view = await checkedView(stored.tree);
      await this.database.read(scope, (tx) => tx.query(`select * from (${view.text}) v limit 0`), LIMITS);
      return view;
    } catch (error) {
      if (error instanceof ViewRefused || isRefusedStatement(error)) throw new PeopleConflict('VIEW_REFUSED');
      throw error;
    }
  }
}
