import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Empty, type IndexRebuild, rebuildIndexes } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { DocumentEvents } from '../document-state/document-events';

/** Documents that one transaction hands over. */
const SLICE = 40;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Orders retrieval to derive its indexes again from the stored objects. */
@Injectable()
export class RebuildHandlers {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly documentEvents: DocumentEvents,
  ) {}

  /** Hands documents over in short transactions; the transaction of the call records the hand-over. */
  @Handles(rebuildIndexes)
  async rebuild(scope: WorkScope, _input: Empty, context: WriteContext): Promise<IndexRebuild> {
    const since = await this.database.read(scope, (tx) => this.now(tx));
    const documents = await this.handOverAll(scope);
    return context.write(() => Promise.resolve({ documents, since }));
  }

  private async now(tx: Transaction): Promise<string> {
    const [row] = await tx.query<{ now: Date }>('select now() as now');
    return (row?.now ?? new Date()).toISOString();
  }

  private async handOverAll(scope: TenantScope): Promise<number> {
    let total = 0;
    for (let after = NOBODY; ;) {
      const started = performance.now();
      const slice = await this.database.write(scope, (tx) => this.documentEvents.handOverAgain(tx, after, SLICE));
      const last = slice.at(-1);
      if (last === undefined) return total;
      total += slice.length;
      after = last;
      await pause(Math.min(50, performance.now() - started));
    }
  }
}
