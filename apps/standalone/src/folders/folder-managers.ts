import { followSwitch, Pace, rebuild } from '@acervo/platform-admin';
import { type EmbedderDescription, HASHING } from '@acervo/models';
import { type Calls, retryUntilAvailable } from '@acervo/platform-calls';
import { Periodic } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';
import type { DataDirectory } from '../resources/data-directory';
import { FolderManager, type Opening } from './folder-manager';
import { figuresTogether, followIngestion } from './following';
import { eachGroup, type Group, type GroupProgress, groupsOf } from './groups';
import type { Print } from '../kernel/print';
import { AddedFolders } from './known-folders';
import type { OpenView } from './watch/folder-views';
import { gatherImportedSpaces } from '../transfer/gathering';
import type { Screen } from '../terminal/progress/screen';
import { resultLine } from '../terminal/progress/messages';
import { progressOf, printStatus, printSummaries } from './status';

/** Interval of the look-up of new groups. */
const EVERY_MS = 5_000;

export interface FolderManagersDependencies {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  /** Entity of the documents in folders of the command line. */
  readonly entityCode: string;
  readonly openView: OpenView;
  readonly screen: Screen;
}

/** Manages all groups of an installation, with one folder manager per group. Groups created later get one, too. */
export class FolderManagers {
  private stopping = false;
  /** A service is unavailable: the next look-up finds the groups. */
  private readonly looks = new Periodic(() => this.look(), { everyMs: EVERY_MS });
  private readonly managers = new Map<string, FolderManager>();
  private readonly pace = new Pace();
  private following: Promise<readonly GroupProgress[] | undefined> | undefined;

  constructor(private readonly dependencies: FolderManagersDependencies) {}

  /** All groups that exist now; retries while the database is unavailable. */
  allGroups(): Promise<readonly Group[]> {
    return retryUntilAvailable(() => groupsOf(this.dependencies.calls), { stopped: () => this.stopping });
  }

  /** Ingests the folders of all groups, and follows the work to its end; returns whether all succeeded. */
  async open(opening: Opening): Promise<boolean> {
    let isWhole = true;
    for (const folderManager of await this.folderManagers()) {
      const named = folderManager.group.first ? opening.named : null;
      if (!(await folderManager.open({ ...opening, named }))) isWhole = false;
    }
    if (opening.watches && !this.stopping) this.looks.start();
    const progress = await this.follow();
    if (progress === undefined) return isWhole;
    await this.gatherImported(progress.map(({ group }) => group.scope));
    await printSummaries(progress, this.dependencies.screen.print);
    return isWhole;
  }

  /** Gathers imported spaces again, now that their documents are there. */
  private async gatherImported(scopes: readonly WorkScope[]): Promise<void> {
    const { calls, screen } = this.dependencies;
    try {
      const gathered = await gatherImportedSpaces({ calls, stopped: () => this.stopping }, scopes);
      if (gathered > 0) screen.print(`Gathered the documents of ${gathered} imported spaces.`);
    } catch (error) {
      if (!this.stopping)
        screen.print(`Imported spaces are gathered at the next start: ${error instanceof Error ? error.message : ''}`);
    }
  }

  /** Ingests the named folder, or all folders of all groups again; returns whether all succeeded. */
  async ingestAgain(named: string | null, acceptDeletions: boolean, print: Print): Promise<boolean> {
    let isWhole = true;
    for (const folderManager of await this.folderManagers()) {
      if (named !== null && !folderManager.group.first) continue;
      if (!(await folderManager.ingestAgain(named, acceptDeletions, print))) isWhole = false;
    }
    return isWhole;
  }

  /**
   * Moves existing documents to the embedder in use, and records when the searches of all groups use it. A group that
   * is created meanwhile begins with this embedder.
   */
  async settle({ name, url }: EmbedderDescription): Promise<void> {
    const { calls, directory, screen } = this.dependencies;
    const { print } = screen;
    const runs = name === HASHING.name || url !== null;
    const announced = directory.before !== null;
    const follow = async (): Promise<boolean> => {
      const scopes = (await this.allGroups()).map(({ scope }) => scope);
      return followSwitch({ calls, scopes, print, name, runs, announced, stopped: () => this.stopping });
    };
    const settled = await follow().catch((error: unknown) => {
      if (!this.stopping)
        print(`The change of the embedder continues at the next start: ${error instanceof Error ? error.message : ''}`);
      return false;
    });
    if (settled) directory.settle();
  }

  /** Builds the indexes of all groups again; returns whether all succeeded. */
  async rebuild(screen: Screen): Promise<boolean> {
    const { calls } = this.dependencies;
    const stopped = (): boolean => this.stopping;
    return eachGroup(await this.allGroups(), screen.print, ({ scope }) => rebuild({ calls, scope, screen, stopped }));
  }

  async printStatus(print: Print): Promise<void> {
    await printStatus(this.dependencies.calls, print, this.pace.perSecond);
  }

  /** Shows the progress of background work, and prints a line at its end. */
  followChanges(): void {
    if (this.following !== undefined) return;
    void this.follow().then((progress) => {
      if (progress !== undefined) this.dependencies.screen.print(resultLine(figuresTogether(progress)));
    });
  }

  async close(): Promise<void> {
    this.stopping = true;
    await this.looks.stop();
    await Promise.all([...this.managers.values()].map((folderManager) => folderManager.close()));
  }

  /** The folder managers of all groups that exist now. */
  private async folderManagers(): Promise<readonly FolderManager[]> {
    const groups = await this.allGroups();
    if (this.stopping) return [];
    for (const group of groups)
      if (!this.managers.has(group.groupId)) this.managers.set(group.groupId, this.folderManagerOf(group));
    return [...this.managers.values()];
  }

  private folderManagerOf(group: Group): FolderManager {
    const { calls, directory, entityCode, openView, screen } = this.dependencies;
    const destination = group.first
      ? { folders: directory, entityCode }
      : { folders: new AddedFolders(), entityCode: undefined };
    return new FolderManager({
      ...{ calls, group, ...destination, openView, print: screen.print },
      worked: () => this.followChanges(),
    });
  }

  /** Opens folder managers for new groups. */
  private async look(): Promise<void> {
    const opening = { watches: true, acceptDeletions: false, named: null };
    const made = (await this.folderManagers()).filter((folderManager) => !folderManager.isOpen);
    for (const folderManager of made)
      void folderManager.open(opening).then(() => folderManager.hasFolders && this.followChanges());
  }

  /** Follows the current work to its end. Concurrent calls share one run. */
  private follow(): Promise<readonly GroupProgress[] | undefined> {
    const { calls, screen } = this.dependencies;
    const ask = async (): Promise<readonly GroupProgress[]> => progressOf(calls, await groupsOf(calls));
    const following = { ask, screen, pace: this.pace, stopped: () => this.stopping };
    this.following ??= followIngestion(following).finally(() => (this.following = undefined));
    return this.following;
  }
}
