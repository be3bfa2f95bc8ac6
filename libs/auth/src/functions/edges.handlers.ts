import { Injectable } from '@nestjs/common';
import {
  type EdgeRebuildReport,
  type Empty,
  type FunctionApis,
  type FunctionEdgeReport,
  type FunctionReference,
  listFunctionApis,
  NotFound,
  syncAllFunctions,
  syncFunction,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { assertSystem } from '../kernel/authority';
import { EdgeStore } from './edge.store';
import { apisOf, described, orphansAmong } from './edges';

type Report = Omit<FunctionEdgeReport, 'code'>;

/** Which operations functions use, and which operations no function uses. */
@Injectable()
export class EdgesHandlers {
  constructor(
    private readonly database: Database,
    private readonly catalogue: CatalogueDatabase,
    private readonly edges: EdgeStore,
  ) {}

  @Handles(listFunctionApis)
  async list(scope: Scope, { code }: FunctionReference): Promise<FunctionApis> {
    const edges = await this.database.read(scope, (tx) => this.edges.of(tx, code));
    if (edges === undefined) throw new NotFound();
    return { items: (edges.apiCodes ?? apisOf(code)).flatMap((api) => described(api) ?? []) };
  }

  @Handles(syncFunction)
  async sync(scope: Scope, { code }: FunctionReference, context: WriteContext): Promise<FunctionEdgeReport> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      if ((await this.edges.of(tx, code)) === undefined) throw new NotFound();
      return { code, ...(await this.bringUpToDate(tx, [code])) };
    });
  }

  @Handles(syncAllFunctions)
  async syncAll(scope: Scope, _input: Empty, context: WriteContext): Promise<EdgeRebuildReport> {
    assertSystem(scope);
    return context.writeAs(this.catalogue, async (tx) => {
      const codes = (await this.edges.all(tx)).map(({ functionCode }) => functionCode);
      return { functions: codes.length, ...(await this.bringUpToDate(tx, codes)) };
    });
  }

  private async bringUpToDate(tx: Transaction, codes: readonly string[]): Promise<Report> {
    const edges = codes.flatMap((functionCode) => apisOf(functionCode).map((apiCode) => ({ functionCode, apiCode })));
    const change = await this.edges.replace(tx, codes, edges);
    const orphans = orphansAmong(await this.edges.all(tx));
    return { edges: edges.length, ...change, orphans, syncedAt: new Date().toISOString() };
  }
}
