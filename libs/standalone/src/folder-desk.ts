import { ingestionProgress, type IngestionProgress } from '@acervo/contracts';
import { figuresOf, followSwitch, Pace, rebuild, retryFailedIn, tellAgreement } from '@acervo/ingestion';
import { type EmbedderDescription, HASHING } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import type { ControlRequest } from './control';
import type { DataDirectory } from './data-directory';
import { FolderChanges } from './folder-changes';
import { FolderWatch } from './folder-watch';
import { followIngestion, type Say, takeIn, type Taking } from './intake';
import type { StartOptions } from './options';
import { plainScreen, type Screen } from './progress/screen';
import { resultLine, summaryOf } from './progress/sentences';
import { realOf } from './real-path';
import { exportInstallation } from './transfer/exporting';

/** Remembers the folders of this start: the one that was named; the sample where there is none at all, saying so. */
export const rememberFolders = (directory: DataDirectory, { folder, sample }: StartOptions, say: Say): void => {
  if (folder !== null) return void directory.remember(folder);
  if (directory.folders.length > 0) return;
  directory.remember(sample);
  say('No folder was named, so the sample library is taken in. Yours: npm start -- /path/to/folder');
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const whyLeftOut = (folder: string, error: unknown): string =>
  nameOf(error) === 'FolderDeleted'
    ? `The folder ${folder} was deleted and is left alone. To take it in again: npm start -- ${folder}`
    : error instanceof Error && error.name === 'FolderUnreadable'
      ? `The folder ${folder} cannot be read now, so its documents stay as they are. It is tried again now and then, and at the next start.`
      : `The folder ${folder} was left out: ${error instanceof Error ? error.message : String(error)}`;

/** Errors that hold until somebody names another folder: what was never taken in, or is no more, is not kept in mind. */
const REFUSED = new Set(['FolderDeleted', 'FoldersOverlap', 'FolderHoldsKept']);

export interface Opening {
  readonly watches: boolean;
  readonly acceptDeletions: boolean;
  readonly named: string | null;
}

export interface DeskParts {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly group: { readonly groupId: string; readonly entityCode: string };
  readonly publicPort: number;
  readonly screen: Screen;
}

/** Looks after the folders of an installation: takes them in, watches them, and answers what starts ask about them. */
export class FolderDesk {
  private stopping = false;
  private readonly scope: WorkScope;
  private readonly watch: FolderWatch;
  private readonly changes: FolderChanges;
  private readonly pace = new Pace();
  /** What was said last of each folder that could not be believed or read. */
  private readonly notices = new Map<string, string | null>();
  private following: Promise<IngestionProgress | undefined> | undefined;

  constructor(private readonly parts: DeskParts) {
    this.scope = new WorkScope(parts.group.groupId, 'standalone', 'folders');
    const rescan = async (folder: string): Promise<void> => {
      const { isNews } = await this.take(folder, { acceptDeletions: false, onlyChanges: true });
      if (isNews) this.followChanges();
    };
    this.watch = new FolderWatch({ rescan, say: (line) => parts.screen.say(line) });
    this.changes = new FolderChanges({ ...parts, scope: this.scope, watch: this.watch });
  }

  /**
   * Takes all folders in, one after the other, and follows the work to its end; answers whether all could be taken in.
   * @param opening `named`: the folder of this start
   */
  async open({ watches, acceptDeletions, named }: Opening): Promise<boolean> {
    const namedNow = named === null ? null : realOf(named);
    let isWhole = true;
    for (const folder of this.parts.directory.folders) {
      if (this.stopping) return false;
      const take = async (): Promise<void> => {
        const how = { acceptDeletions, onlyChanges: false, again: folder === namedNow };
        if (!(await this.take(folder, how)).isDone) isWhole = false;
      };
      await (watches ? this.watch.add(folder, take) : take());
    }
    if (watches && !this.stopping) this.changes.start();
    const progress = await this.follow();
    if (progress !== undefined) summaryOf(progress).forEach(this.parts.screen.say);
    return isWhole;
  }

  /** Brings the documents that are there to the embedder in use, and notes when searches use it. */
  async settle({ name, url }: EmbedderDescription): Promise<void> {
    const { calls, directory, screen } = this.parts;
    const { say } = screen;
    const runs = name === HASHING.name || url !== null;
    const following = { calls, scope: this.scope, say, name, runs, stopped: () => this.stopping };
    const settled = await followSwitch(following).catch((error: unknown) => {
      if (!this.stopping)
        say(`The change of the embedder goes on at the next start: ${error instanceof Error ? error.message : ''}`);
      return false;
    });
    if (settled) directory.settle();
  }

  /** What another start on the same directory asks for while this one runs; answers whether all of it was done. */
  async carryOut(request: ControlRequest, say: Say): Promise<boolean> {
    if (request.retryFailed) await this.retryFailed(say);
    if (typeof request.exportTo === 'string') await this.export(request.exportTo, say);
    const isRebuilt = request.rebuild !== true || (await this.rebuild(plainScreen(say)));
    const isTaken = await this.changes.during(() => this.takeNamed(request, say));
    if (request.folder !== null || request.acceptDeletions || request.retryFailed) this.followChanges();
    if (request.status) await this.tellStatus(say);
    if (!request.status && typeof request.exportTo !== 'string')
      say(
        `Acervo runs already: http://localhost:${this.parts.publicPort}. It goes on by itself; --status tells how far.`,
      );
    return isRebuilt && isTaken;
  }

  retryFailed(say: Say): Promise<void> {
    return retryFailedIn(this.parts.calls, this.scope, say);
  }

  /** Derives the indexes again; says how far that is where it was asked for, and answers whether all was done. */
  rebuild(screen: Screen = this.parts.screen): Promise<boolean> {
    return rebuild({ calls: this.parts.calls, scope: this.scope, screen, stopped: () => this.stopping });
  }

  /** Writes down everything that the folders do not hold. @throws ExportUnusable */
  export(file: string, say: Say): Promise<void> {
    return exportInstallation(this.parts.calls, this.parts.directory, file, say);
  }

  async tellStatus(say: Say): Promise<void> {
    const progress = await this.parts.calls.send(ingestionProgress, this.scope, {});
    summaryOf(progress, figuresOf(progress, this.pace.perSecond)).forEach(say);
    await tellAgreement(this.parts.calls, this.scope, say);
  }

  async close(): Promise<void> {
    this.stopping = true;
    await this.changes.close();
    await this.watch.close();
  }

  /** The scan that finds out is the one that the watch would wait for. */
  private forget(folder: string): void {
    this.parts.directory.forget(folder);
    void this.watch.remove(folder);
  }

  private async takeNamed({ folder: named, acceptDeletions }: ControlRequest, say: Say): Promise<boolean> {
    const { directory } = this.parts;
    if (named === null && !acceptDeletions) return true;
    const how = { acceptDeletions, onlyChanges: false, again: named !== null };
    let isWhole = true;
    const take = async (folder: string): Promise<void> => {
      if (!(await this.take(folder, how, say)).isDone) isWhole = false;
    };
    for (const folder of named === null ? directory.folders : [directory.remember(named)])
      await this.watch.add(folder, () => take(folder));
    return isWhole;
  }

  /** Follows the work that there is to its end; whoever asks meanwhile waits for the same. */
  private follow(): Promise<IngestionProgress | undefined> {
    const { calls, screen } = this.parts;
    const following = { screen, pace: this.pace, stopped: () => this.stopping };
    this.following ??= followIngestion(calls, this.scope, following).finally(() => (this.following = undefined));
    return this.following;
  }

  /** Shows how work goes on that nobody waits for, and says in a line how it ended. */
  private followChanges(): void {
    if (this.following !== undefined) return;
    void this.follow().then((progress) => {
      if (progress !== undefined) this.parts.screen.say(resultLine(figuresOf(progress)));
    });
  }

  /** Takes one folder in; answers whether that is work, and whether it could be done. */
  private async take(
    folder: string,
    how: Pick<Taking, 'acceptDeletions' | 'onlyChanges' | 'again'>,
    say: Say = this.parts.screen.say,
  ): Promise<{ readonly isNews: boolean; readonly isDone: boolean }> {
    const { calls, group } = this.parts;
    const noticed = this.notices.get(folder) ?? null;
    const taking = { folder, entityCode: group.entityCode, ...how, noticed, stopped: () => this.stopping };
    try {
      const { isNews, notice } = await takeIn(calls, this.scope, taking, say);
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
