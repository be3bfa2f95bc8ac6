import { listRoots } from '@acervo/contracts';
import { type Calls, retryUntilAvailable } from '@acervo/platform-calls';
import { FolderChanges } from './folder-changes';
import type { Group } from './groups';
import type { Print } from '../kernel/print';
import { ingestFolder, type IngestRequest } from './ingest-folder';
import type { KnownFolders } from './known-folders';
import { FolderViews, type OpenView } from './watch/folder-views';
import { FolderWatch } from './watch/folder-watch';

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const whyLeftOut = (folder: string, error: unknown): string =>
  nameOf(error) === 'FolderDeleted'
    ? `The folder ${folder} was deleted, so it is not scanned. To add it again: npm start -- ${folder}`
    : error instanceof Error && error.name === 'FolderUnreadable'
      ? `The folder ${folder} cannot be read now, so its documents stay as they are. It is tried again now and then, and at the next start.`
      : `The folder ${folder} was left out: ${error instanceof Error ? error.message : String(error)}`;

/** A link replaced a folder. A scan through it would ingest its target a second time, as another folder. */
class FolderReplaced extends Error {
  constructor() {
    super(
      'it is a link to another folder now, so its documents stay as they are. Put the folder back, or delete it in the application and add the one that the link leads to.',
    );
    this.name = 'FolderReplaced';
  }
}

/** Errors that last until the user names another folder: the manager forgets folders that are refused or deleted. */
const REFUSED = new Set(['FolderDeleted', 'FoldersOverlap', 'FolderHoldsKept']);

export interface Opening {
  readonly watches: boolean;
  readonly acceptDeletions: boolean;
  /** The folder that the user named at this start. */
  readonly named: string | null;
}

export interface FolderManagerDependencies {
  readonly calls: Calls;
  readonly group: Group;
  /** Entity of the folders that this program registers; only the first group has such folders. */
  readonly entityCode: string | undefined;
  readonly folders: KnownFolders;
  readonly openView: OpenView;
  readonly print: Print;
  /** Called when a background scan creates work. */
  worked(): void;
}

/** Manages the folders of one group: ingests them, watches them, and follows additions and deletions. */
export class FolderManager {
  private stopping = false;
  private begun = false;
  private readonly views: FolderViews;
  private readonly watch: FolderWatch;
  private readonly changes: FolderChanges;
  /** The last notice about each folder whose scan kept documents or could not read something. */
  private readonly notices = new Map<string, string | null>();
  /** The code of each folder since its last scan. */
  private readonly codes = new Map<string, string>();

  constructor(private readonly dependencies: FolderManagerDependencies) {
    const { calls, group, folders, openView, print, worked } = dependencies;
    const rescan = async (folder: string): Promise<void> => {
      const { isNews } = await this.ingest(folder, { acceptDeletions: false, onlyChanges: true });
      if (isNews) worked();
    };
    this.views = new FolderViews(openView);
    this.watch = new FolderWatch({ rescan, print, views: this.views });
    this.changes = new FolderChanges({ calls, scope: group.scope, directory: folders, watch: this.watch });
  }

  get group(): Group {
    return this.dependencies.group;
  }

  /** Whether `open` has begun to ingest its folders. */
  get isOpen(): boolean {
    return this.begun;
  }

  get hasFolders(): boolean {
    return this.dependencies.folders.folders.length > 0;
  }

  /** Ingests all folders, one after the other; returns whether all succeeded. */
  async open({ watches, acceptDeletions, named }: Opening): Promise<boolean> {
    this.begun = true;
    let isWhole = await this.learn();
    const namedNow = named === null ? null : await this.views.realOf(named);
    for (const folder of this.dependencies.folders.folders) {
      if (this.stopping) return false;
      const ingest = async (): Promise<void> => {
        const how = { acceptDeletions, onlyChanges: false, again: folder === namedNow };
        if (!(await this.ingest(folder, how)).isDone) isWhole = false;
      };
      await (watches ? this.watch.add(folder, ingest) : ingest());
    }
    if (watches && !this.stopping) this.changes.start();
    return isWhole;
  }

  /** Ingests the named folder, or all folders again; returns whether all succeeded. */
  ingestAgain(named: string | null, acceptDeletions: boolean, print: Print): Promise<boolean> {
    const { folders } = this.dependencies;
    const how = { acceptDeletions, onlyChanges: false, again: named !== null };
    return this.changes.during(async () => {
      let isWhole = named !== null || (await this.learn());
      const ingest = async (folder: string): Promise<void> => {
        if (!(await this.ingest(folder, how, print)).isDone) isWhole = false;
      };
      for (const folder of named === null ? folders.folders : [folders.remember(await this.views.realOf(named))])
        await this.watch.add(folder, () => ingest(folder));
      return isWhole;
    });
  }

  async close(): Promise<void> {
    this.stopping = true;
    await this.changes.close();
    await this.watch.close();
    await this.views.close();
  }

  /** Records the folders that users added over HTTP; returns whether all still exist at their paths. */
  private async learn(): Promise<boolean> {
    const { calls, group, folders } = this.dependencies;
    const asked = retryUntilAvailable(() => calls.send(listRoots, group.scope, {}), { stopped: () => this.stopping });
    const found = await asked.catch(() => undefined);
    let isWhole = found !== undefined;
    const roots = (found?.roots ?? []).filter(({ deleted }) => !deleted);
    const real = await Promise.all(roots.map(({ path }) => this.views.realOf(path)));
    for (const [index, { path }] of roots.entries()) {
      const isThere = real[index] === path;
      if (isThere) folders.remember(path);
      else this.dependencies.print(whyLeftOut(path, new FolderReplaced()));
      isWhole &&= isThere;
    }
    return isWhole;
  }

  /** Does not await `remove`: it waits for the scan that calls this method, and would never resolve. */
  private forget(folder: string): void {
    this.dependencies.folders.forget(folder);
    void this.watch.remove(folder);
  }

  /** Ingests one folder; returns whether work follows from it, and whether it succeeded. */
  private async ingest(
    folder: string,
    how: Pick<IngestRequest, 'acceptDeletions' | 'onlyChanges' | 'again'>,
    print: Print = this.dependencies.print,
  ): Promise<{ readonly isNews: boolean; readonly isDone: boolean }> {
    const { calls, group, entityCode } = this.dependencies;
    const noticed = this.notices.get(folder) ?? null;
    const request = { folder, entityCode, ...how, noticed, stopped: () => this.stopping };
    try {
      const { path, identity } = await this.views.look(folder);
      if (path !== folder) throw new FolderReplaced();
      // A registration refuses a folder that cannot be read.
      const code = how.onlyChanges && identity !== undefined ? this.codes.get(folder) : undefined;
      const { locationCode, isNews, notice } = await ingestFolder(
        calls,
        group.scope,
        { ...request, locationCode: code },
        print,
      );
      this.codes.set(folder, locationCode);
      this.notices.set(folder, notice);
      return { isNews, isDone: true };
    } catch (error) {
      if (!this.stopping) print(whyLeftOut(folder, error));
      if (REFUSED.has(nameOf(error))) this.forget(folder);
      // A folder that a user deleted is left out on purpose, so that its absence is no failure.
      return { isNews: false, isDone: nameOf(error) === 'FolderDeleted' };
    }
  }
}
