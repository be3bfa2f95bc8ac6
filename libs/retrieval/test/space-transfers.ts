import { randomUUID } from 'node:crypto';
import { gatherImportedSpace, spacesTransfer, type TakenSnapshot, type UngatheredSpaces } from '@acervo/contracts';
import { BackgroundDatabase, type Row } from '@acervo/platform-database';
import { FirstGatheringHandlers } from '../src/spaces/transfer/first-gathering.handlers';
import { SpaceTransfer } from '../src/spaces/transfer/space-transfer';
import { workScope } from './documents';
import type { Retrieval } from './support';

type Exported = Readonly<Record<string, readonly Row[]>>;

/** Transfers the spaces of an installation. */
export class SpaceTransfers {
  private constructor(
    private readonly retrieval: Retrieval,
    private readonly database: BackgroundDatabase,
    private readonly transfer: SpaceTransfer,
    private readonly gatherings: FirstGatheringHandlers,
  ) {}

  static async of(retrieval: Retrieval): Promise<SpaceTransfers> {
    return new SpaceTransfers(
      retrieval,
      await retrieval.provider(BackgroundDatabase),
      await retrieval.provider(SpaceTransfer),
      await retrieval.provider(FirstGatheringHandlers),
    );
  }

  async snapshot(groupId: string): Promise<TakenSnapshot> {
    const snapshotId = randomUUID();
    const context = this.retrieval.writing(spacesTransfer.take, workScope(groupId), {});
    const tables = await context.writeFromSnapshot((tx) => this.transfer.takeSnapshot(tx, snapshotId));
    return { snapshotId, tables };
  }

  async rows(groupId: string, { snapshotId, tables }: TakenSnapshot): Promise<Exported> {
    const exported: Record<string, Row[]> = {};
    for (const { table, pages } of tables) {
      const rows: Row[] = (exported[table] = []);
      for (let page = 0; page < pages; page += 1)
        rows.push(
          ...(await this.database.read(workScope(groupId), (tx) =>
            this.transfer.page(tx, { snapshotId, table, page }),
          )),
        );
    }
    return exported;
  }

  async drop(groupId: string, { snapshotId }: TakenSnapshot): Promise<void> {
    const context = this.retrieval.writing(spacesTransfer.drop, workScope(groupId), { snapshotId });
    await context.write((tx) => this.transfer.dropSnapshot(tx, snapshotId));
  }

  /** A whole export of a group. */
  async exported(groupId: string): Promise<Exported> {
    const snapshot = await this.snapshot(groupId);
    const rows = await this.rows(groupId, snapshot);
    await this.drop(groupId, snapshot);
    return rows;
  }

  async imports(groupId: string, exported: Exported): Promise<void> {
    const scope = workScope(groupId);
    for (const [table, rows] of Object.entries(exported)) {
      const context = this.retrieval.writing(spacesTransfer.write, scope, { table, rows });
      await context.write((tx) => this.transfer.write(tx, table, rows));
    }
  }

  ungathered(groupId: string): Promise<UngatheredSpaces> {
    return this.gatherings.list(workScope(groupId), {});
  }

  async gather(groupId: string, spaceId: number): Promise<void> {
    const scope = workScope(groupId);
    const context = this.retrieval.writing(gatherImportedSpace, scope, { spaceId });
    await this.gatherings.gather(scope, { spaceId }, context);
  }

  /** Gathers what can be gathered until nothing is left; returns the numbers in their order. */
  async gatherAll(groupId: string): Promise<readonly number[]> {
    const gathered: number[] = [];
    for (;;) {
      const { spaces, running } = await this.ungathered(groupId);
      if (spaces.length + running === 0) return gathered;
      for (const { spaceId } of spaces) await this.gather(groupId, spaceId);
      gathered.push(...spaces.map(({ spaceId }) => spaceId));
      await this.retrieval.work(groupId, 'refresh-space');
    }
  }
}
