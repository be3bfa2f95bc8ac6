import {
  dropSpacesSnapshot,
  gatherImportedSpace,
  importSpaces,
  snapshotSpaces,
  type TakenSnapshot,
  type UngatheredSpaces,
} from '@acervo/contracts';
import type { Row } from '@acervo/platform-database';
import { FirstGatheringHandlers } from '../src/spaces/transfer/first-gathering.handlers';
import { SpaceTransferHandlers } from '../src/spaces/transfer/space-transfer.handlers';
import { workScope } from './documents';
import type { Retrieval } from './support';

type Exported = Readonly<Record<string, readonly Row[]>>;

/** The calls that transfer the spaces of an installation, as its operator sends them. */
export class SpaceTransfers {
  private constructor(
    private readonly retrieval: Retrieval,
    private readonly transfers: SpaceTransferHandlers,
    private readonly gatherings: FirstGatheringHandlers,
  ) {}

  static async of(retrieval: Retrieval): Promise<SpaceTransfers> {
    const transfers = await retrieval.provider(SpaceTransferHandlers);
    return new SpaceTransfers(retrieval, transfers, await retrieval.provider(FirstGatheringHandlers));
  }

  snapshot(groupId: string): Promise<TakenSnapshot> {
    const scope = workScope(groupId);
    return this.transfers.takeSnapshot(scope, {}, this.retrieval.writing(snapshotSpaces, scope, {}));
  }

  async rows(groupId: string, { snapshotId, tables }: TakenSnapshot): Promise<Exported> {
    const exported: Record<string, Row[]> = {};
    for (const { table, pages } of tables) {
      const rows: Row[] = (exported[table] = []);
      for (let page = 0; page < pages; page += 1)
        rows.push(...(await this.transfers.read(workScope(groupId), { snapshotId, table, page })).rows);
    }
    return exported;
  }

  async drop(groupId: string, { snapshotId }: TakenSnapshot): Promise<void> {
    const scope = workScope(groupId);
    const context = this.retrieval.writing(dropSpacesSnapshot, scope, { snapshotId });
    await this.transfers.dropSnapshot(scope, { snapshotId }, context);
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
      const context = this.retrieval.writing(importSpaces, scope, { table, rows });
      await this.transfers.write(scope, { table, rows }, context);
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
