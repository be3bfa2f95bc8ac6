import { revive } from '@acervo/contracts';
import type { Database, Transaction } from '@acervo/platform-database';
import { type Lease, LeaseKeeper, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { ChangeStore } from '../documents/change.store';
import { HELD, type Held } from '../documents/held';
import { REMOVE, RemovedRoot } from '../pipeline/stages';
import type { ScanTurn, ScanTurns } from '../runs/scan-turns';
import type { LocationFacts } from './location.facts';
import { markDeleted } from './removal';

export interface RemovalParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly turns: ScanTurns;
  readonly changes: ChangeStore;
  readonly facts: LocationFacts;
}

/** Documents, or folders, that one transaction takes out. */
const BATCH = 20;

const rootOf = ({ payload }: Lease): string => revive(RemovedRoot, payload).root;

/** Takes out what a deleted location held, a few at a time. No scan of it is at work meanwhile, and none begins. */
export class RemovalStage {
  constructor(private readonly parts: RemovalParts) {}

  @RunsStage(REMOVE)
  async remove(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { tasks, turns, database } = this.parts;
    const keeper = new LeaseKeeper(tasks, leases, REMOVE.leaseSeconds);
    for (const lease of leases) {
      const root = { code: rootOf(lease) };
      const waiting = (): Promise<void> => keeper.keep(lease);
      await turns.hold(scope, { root, run: 0, waiting }, async (turn) => {
        const inBatches = async (step: (tx: Transaction) => Promise<boolean>): Promise<void> => {
          while (await database.write(scope, (tx) => this.held(tx, turn, step))) await waiting();
        };
        // A scan that had begun before may have found more folders meanwhile. None begins any more.
        await database.write(scope, (tx) => this.held(tx, turn, () => markDeleted(tx, root.code)));
        await inBatches((tx) => this.removeDocuments(tx, root.code));
        let told = '';
        await inBatches(async (tx) => (told = await this.tellFolders(tx, root.code, told)) !== '');
      });
      await database.write(scope, (tx) => tasks.dismiss(tx, lease));
    }
  }

  private async held<T>(tx: Transaction, turn: ScanTurn, step: (tx: Transaction) => Promise<T>): Promise<T> {
    await turn.assertHeld(tx);
    return step(tx);
  }

  /** As if each of them were deleted alone, where the root is really deleted; answers whether there may be more. */
  private async removeDocuments(tx: Transaction, rootCode: string): Promise<boolean> {
    const documents = await tx.query<Held>(
      `${HELD} where d.group_id = $1 and d.root_code = $2 and d.deleted_at is null
         and exists (select from ingestion.location l
           where l.group_id = $1 and l.code = $2 and l.deleted_at is not null)
       order by d.depth, d.document_id limit ${BATCH} for update`,
      [tx.groupId, rootCode],
    );
    for (const document of documents) await this.parts.changes.delete(tx, document);
    return documents.length > 0;
  }

  /** Answers the code of the last folder that was told of; empty when there are no more. */
  private async tellFolders(tx: Transaction, rootCode: string, after: string): Promise<string> {
    const rows = await tx.query<{ code: string }>(
      `select code from ingestion.location where group_id = $1 and root_code = $2 and code collate "C" > $3
       order by code collate "C" limit ${BATCH}`,
      [tx.groupId, rootCode, after],
    );
    const codes = rows.map(({ code }) => code);
    await this.parts.facts.tell(tx, codes);
    await this.parts.facts.tellDeleted(tx, rootCode, codes);
    return codes.at(-1) ?? '';
  }
}
