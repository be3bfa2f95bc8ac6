import { registerFolder, startRun } from '@acervo/contracts';
import { type Bench, newGroup } from './bench';

interface DocumentRow {
  readonly code: string;
  readonly path: string;
  readonly status: string;
  readonly reason: string | null;
  readonly gone: boolean;
  readonly hash: string;
}

type Summary = Record<string, unknown>;

/** A folder of a group of its own, with ingested documents. */
export class IngestedFolder {
  private static ingested = 0;

  private constructor(
    private readonly bench: Bench,
    readonly groupId: string,
    readonly root: string,
    private readonly location: unknown,
  ) {}

  static async of(bench: Bench, files: Readonly<Record<string, string>>): Promise<IngestedFolder> {
    const groupId = newGroup();
    const root = bench.folder(`taken-${(IngestedFolder.ingested += 1)}`, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path: root, entity_code: 'E1' });
    const folder = new IngestedFolder(bench, groupId, root, location_code);
    await folder.ingest();
    return folder;
  }

  scan(): Promise<Summary> {
    return this.bench.ask(startRun, this.groupId, { location_code: this.location });
  }

  accept(): Promise<Summary> {
    return this.bench.ask(startRun, this.groupId, { location_code: this.location, accept_deletions: true });
  }

  /** Scans it and works all tasks that follow. */
  async ingest(): Promise<Summary> {
    const summary = await this.scan();
    await this.bench.exhaust(this.groupId);
    return summary;
  }

  sql<R extends object>(text: string, ...params: readonly unknown[]): Promise<R[]> {
    return this.bench.database.write(this, (tx) => tx.query<R>(text, [this.groupId, ...params]));
  }

  documents(): Promise<DocumentRow[]> {
    return this.bench.database.read(this, (tx) =>
      tx.query<DocumentRow>(
        `select code, relative_path as path, status, reason, deleted_at is not null as gone, content_hash as hash
         from ingestion.document where group_id = $1 order by relative_path`,
        [this.groupId],
      ),
    );
  }

  async removedFolders(): Promise<string[]> {
    const rows = await this.bench.database.read(this, (tx) =>
      tx.query<{ path: string }>(
        `select relative_path as path from ingestion.location where group_id = $1 and removed_at is not null
         order by relative_path`,
        [this.groupId],
      ),
    );
    return rows.map(({ path }) => path);
  }

  /** Expects that some work removes nothing from search or from the store. */
  async isUnharmedBy(work: () => Promise<unknown>): Promise<void> {
    const before = [await this.documents(), await this.bench.objectKeys(this.groupId)];
    await this.bench.forget();
    await work();
    expect([await this.documents(), await this.bench.objectKeys(this.groupId)]).toEqual(before);
    expect(await this.bench.published()).toEqual([]);
  }
}
