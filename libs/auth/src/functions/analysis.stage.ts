import { Injectable } from '@nestjs/common';
import { FunctionReference, listPublishedOperations, type OperationItem, revive } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { CatalogueDatabase } from '../databases/databases';
import { compileFunction } from '../function-catalogue/markdown';
import { analyse } from './analysis';
import { AnalysisStore } from './analysis.store';
import { EdgeStore } from './edge.store';
import { FunctionStore } from './function.store';

/** Compares a function with the catalogue of operations. The executor may be away for a while. */
export const ANALYSE_FUNCTION: Stage = {
  name: 'analyse-function',
  batch: 1,
  leaseSeconds: 60,
  attempts: 100,
  payload: FunctionReference,
};

/**
 * Analyses functions: compiles the document again and stores the report beside it. A repetition stores the same; the
 * task ends in a transaction of its own, because another login writes the catalogue.
 */
@Injectable()
export class AnalysisStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly catalogue: CatalogueDatabase,
    private readonly calls: Calls,
    private readonly tasks: Tasks,
    private readonly functions: FunctionStore,
    private readonly edges: EdgeStore,
    private readonly analyses: AnalysisStore,
  ) {}

  @RunsStage(ANALYSE_FUNCTION)
  async run(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { operations } = await this.calls.send(listPublishedOperations, scope, {});
    for (const lease of leases) {
      const { code } = revive(FunctionReference, lease.payload);
      await this.catalogue.write(scope, (tx) => this.store(tx, code, operations));
      await this.database.write(scope, (tx) => this.tasks.completeAndDelete(tx, lease));
    }
  }

  /** A function that was deleted meanwhile has no analysis. */
  private async store(tx: Transaction, code: string, published: readonly OperationItem[]): Promise<void> {
    const edges = await this.edges.of(tx, code);
    if (edges === undefined) return;
    const row = await this.functions.get(tx, code);
    const operations = published.filter(({ functions }) => functions.includes(code)).map((each) => each.code);
    await this.functions.keepDocument(tx, code, compileFunction(row));
    const report = analyse({ behaviours: row.behaviours, operations, edges: edges.apiCodes ?? [] });
    await this.analyses.save(tx, code, report);
  }
}
