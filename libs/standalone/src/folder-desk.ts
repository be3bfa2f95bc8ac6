import { listRoots } from '@acervo/contracts';
import { type Calls, persistently } from '@acervo/platform-calls';
import { FolderChanges } from './folder-changes';
import { FolderWatch } from './folder-watch';
import type { Group } from './groups';
import { type Say, takeIn, type Taking } from './intake';
import type { KnownFolders } from './known-folders';
import { realOf } from './real-path';

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const whyLeftOut = (folder: string, error: unknown): string =>
  nameOf(error) === 'FolderDeleted'
    ? `The folder ${folder} was deleted and is left alone. To take it in again: npm start -- ${folder}`
    : error instanceof Error && error.name === 'FolderUnreadable'
      ? `The folder ${folder} cannot be read now, so its documents stay as they are. It is tried again now and then, and at the next start.`
      : `The folder ${folder} was left out: ${error instanceof Error ? error.message : String(error)}`;

/** A link stands where a folder was: what it leads to would be taken in a second time, as another folder. */
class FolderReplaced extends Error {
  constructor() {
    super(
      'it is a link to another folder now, so its documents stay as they are. Put the folder back, or delete it in the application and add the one that the link leads to.',
    );
    this.name = 'FolderReplaced';
  }
}

/** Errors that hold until somebody names another folder: what was never taken in, or is no more, is not kept in mind. */
const REFUSED = new Set(['FolderDeleted', 'FoldersOverlap', 'FolderHoldsKept']);

export interface Opening {
  readonly watches: boolean;
  readonly acceptDeletions: boolean;
  /** The folder that was named at this start. */
  readonly named: string | null;
}

export interface DeskParts {
  readonly calls: Calls;
  readonly group: Group;
  /** Where documents of folders belong that this program registers; only the first group has such folders. */
  readonly entityCode: string | undefined;
  readonly folders: KnownFolders;
  readonly say: Say;
  /** Is told when a scan that nobody waits for has brought work. */
  worked(): void;
}

/** Looks after the folders of one group: takes them in, watches them, and heeds which are added and deleted. */
export class FolderDesk {
  private stopping = false;
  private begun = false;
  private readonly watch: FolderWatch;
  private readonly changes: FolderChanges;
  /** What was said last of each folder that could not be believed or read. */
  private readonly notices = new Map<string, string | null>();

  constructor(private readonly parts: DeskParts) {
    const { calls, group, folders, say, worked } = parts;
    const rescan = async (folder: string): Promise<void> => {
      const { isNews } = await this.take(folder, { acceptDeletions: false, onlyChanges: true });
      if (isNews) worked();
    };
    this.watch = new FolderWatch({ rescan, say });
    this.changes = new FolderChanges({ calls, scope: group.scope, directory: folders, watch: this.watch });
  }

  get group(): Group {
    return this.parts.group;
  }

  /** Whether its folders have been taken in, or are being so. */
  get isOpen(): boolean {
    return this.begun;
  }

  get hasFolders(): boolean {
    return this.parts.folders.folders.length > 0;
  }

  /** Takes all folders in, one after the other; answers whether all could be taken in. */
  async open({ watches, acceptDeletions, named }: Opening): Promise<boolean> {
    this.begun = true;
    let isWhole = await this.learn();
    const namedNow = named === null ? null : realOf(named);
    for (const folder of this.parts.folders.folders) {
      if (this.stopping) return false;
      const take = async (): Promise<void> => {
        const how = { acceptDeletions, onlyChanges: false, again: folder === namedNow };
        if (!(await this.take(folder, how)).isDone) isWhole = false;
      };
      await (watches ? this.watch.add(folder, take) : take());
    }
    if (watches && !this.stopping) this.changes.start();
    return isWhole;
  }

  /** Takes in the folder that is named, or all again; answers whether that could be done. */
  takeAgain(named: string | null, acceptDeletions: boolean, say: Say): Promise<boolean> {
    const { folders } = this.parts;
    const how = { acceptDeletions, onlyChanges: false, again: named !== null };
    return this.changes.during(async () => {
      let isWhole = named !== null || (await this.learn());
      const take = async (folder: string): Promise<void> => {
        if (!(await this.take(folder, how, say)).isDone) isWhole = false;
      };
      for (const folder of named === null ? folders.folders : [folders.remember(named)])
        await this.watch.add(folder, () => take(folder));
      return isWhole;
    });
  }

  async close(): Promise<void> {
    this.stopping = true;
    await this.changes.close();
    await this.watch.close();
  }

  /** Notes the folders that were added over the network; answers whether all are where they were. */
  private async learn(): Promise<boolean> {
    const { calls, group, folders } = this.parts;
    const asked = persistently(() => calls.send(listRoots, group.scope, {}), { stopped: () => this.stopping });
    const found = await asked.catch(() => undefined);
    let isWhole = found !== undefined;
    for (const { path, deleted } of found?.roots ?? []) {
      if (deleted) continue;
      const isThere = realOf(path) === path;
      if (isThere) folders.remember(path);
      else this.parts.say(whyLeftOut(path, new FolderReplaced()));
      isWhole &&= isThere;
    }
    return isWhole;
  }

  /** The scan that finds out is the one that the watch would wait for. */
  private forget(folder: string): void {
    this.parts.folders.forget(folder);
    void this.watch.remove(folder);
  }

  /** Takes one folder in; answers whether that is work, and whether it could be done. */
  private async take(
    folder: string,
    how: Pick<Taking, 'acceptDeletions' | 'onlyChanges' | 'again'>,
    say: Say = this.parts.say,
  ): Promise<{ readonly isNews: boolean; readonly isDone: boolean }> {
    const { calls, group, entityCode } = this.parts;
    const noticed = this.notices.get(folder) ?? null;
    const taking = { folder, entityCode, ...how, noticed, stopped: () => this.stopping };
    try {
      if (realOf(folder) !== folder) throw new FolderReplaced();
      const { isNews, notice } = await takeIn(calls, group.scope, taking, say);
      this.notices.set(folder, notice);
      return { isNews, isDone: true };
    } catch (error) {
      if (!this.stopping) say(whyLeftOut(folder, error));
      if (REFUSED.has(nameOf(error))) this.forget(folder);
      // A folder that somebody deleted is left alone because that was asked for.
      return { isNews: false, isDone: nameOf(error) === 'FolderDeleted' };
    }
  }
}
