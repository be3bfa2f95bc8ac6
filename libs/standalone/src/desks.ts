import { followSwitch, Pace, rebuild } from '@acervo/ingestion';
import { type EmbedderDescription, HASHING } from '@acervo/models';
import { type Calls, persistently } from '@acervo/platform-calls';
import type { DataDirectory } from './data-directory';
import { FolderDesk, type Opening } from './folder-desk';
import { figuresTogether, followIngestion } from './following';
import { eachGroup, type Group, type GroupProgress, groupsOf } from './groups';
import type { Say } from './intake';
import { AddedFolders } from './known-folders';
import type { Screen } from './progress/screen';
import { resultLine } from './progress/sentences';
import { progressOf, tellStatus, tellSummaries } from './status';

/** Groups that were made since are looked for this often. */
const EVERY_MS = 5_000;

export interface DesksParts {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  /** Where documents of the folders of the command line belong. */
  readonly entityCode: string;
  readonly screen: Screen;
}

/** Looks after all groups of an installation: a desk for the folders of each, those included that are made meanwhile. */
export class Desks {
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private readonly known = new Map<string, FolderDesk>();
  private readonly pace = new Pace();
  private following: Promise<readonly GroupProgress[] | undefined> | undefined;

  constructor(private readonly parts: DesksParts) {}

  /** All groups there are now; a database that went away under the question is waited for. */
  allGroups(): Promise<readonly Group[]> {
    return persistently(() => groupsOf(this.parts.calls), { stopped: () => this.stopping });
  }

  /** Takes in the folders of all groups, and follows the work to its end; answers whether all could be taken in. */
  async open(opening: Opening): Promise<boolean> {
    let isWhole = true;
    for (const desk of await this.desks()) {
      const named = desk.group.first ? opening.named : null;
      if (!(await desk.open({ ...opening, named }))) isWhole = false;
    }
    if (opening.watches && !this.stopping) this.timer = setInterval(() => this.look(), EVERY_MS);
    const progress = await this.follow();
    if (progress !== undefined) await tellSummaries(progress, this.parts.screen.say);
    return isWhole;
  }

  /** Takes in the folder that is named, or all of all groups again; answers whether that could be done. */
  async takeAgain(named: string | null, acceptDeletions: boolean, say: Say): Promise<boolean> {
    let isWhole = true;
    for (const desk of await this.desks()) {
      if (named !== null && !desk.group.first) continue;
      if (!(await desk.takeAgain(named, acceptDeletions, say))) isWhole = false;
    }
    return isWhole;
  }

  /**
   * Brings the documents that are there to the embedder in use, and notes when the searches of all groups use it. A group
   * that is made meanwhile begins with it.
   */
  async settle({ name, url }: EmbedderDescription): Promise<void> {
    const { calls, directory, screen } = this.parts;
    const { say } = screen;
    const runs = name === HASHING.name || url !== null;
    const follow = async (): Promise<boolean> => {
      const scopes = (await this.allGroups()).map(({ scope }) => scope);
      return followSwitch({ calls, scopes, say, name, runs, stopped: () => this.stopping });
    };
    const settled = await follow().catch((error: unknown) => {
      if (!this.stopping)
        say(`The change of the embedder goes on at the next start: ${error instanceof Error ? error.message : ''}`);
      return false;
    });
    if (settled) directory.settle();
  }

  /** Derives the indexes of all groups again; answers whether all was done. */
  async rebuild(screen: Screen): Promise<boolean> {
    const { calls } = this.parts;
    const stopped = (): boolean => this.stopping;
    return eachGroup(await this.allGroups(), screen.say, ({ scope }) => rebuild({ calls, scope, screen, stopped }));
  }

  async tellStatus(say: Say): Promise<void> {
    await tellStatus(this.parts.calls, say, this.pace.perSecond);
  }

  /** Shows how work goes on that nobody waits for, and says in a line how it ended. */
  followChanges(): void {
    if (this.following !== undefined) return;
    void this.follow().then((progress) => {
      if (progress !== undefined) this.parts.screen.say(resultLine(figuresTogether(progress)));
    });
  }

  async close(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.looking;
    await Promise.all([...this.known.values()].map((desk) => desk.close()));
  }

  /** The desks of all groups there are now. */
  private async desks(): Promise<readonly FolderDesk[]> {
    const groups = await this.allGroups();
    if (this.stopping) return [];
    for (const group of groups) if (!this.known.has(group.groupId)) this.known.set(group.groupId, this.deskOf(group));
    return [...this.known.values()];
  }

  private deskOf(group: Group): FolderDesk {
    const { calls, directory, entityCode, screen } = this.parts;
    const own = group.first
      ? { folders: directory, entityCode }
      : { folders: new AddedFolders(), entityCode: undefined };
    return new FolderDesk({ calls, group, ...own, say: screen.say, worked: () => this.followChanges() });
  }

  /** Opens desks for groups that were made since. */
  private look(): void {
    const opening = { watches: true, acceptDeletions: false, named: null };
    const look = async (): Promise<void> => {
      const made = (await this.desks()).filter((desk) => !desk.isOpen);
      for (const desk of made) void desk.open(opening).then(() => desk.hasFolders && this.followChanges());
    };
    // A service is away: the next look tells.
    this.looking ??= look()
      .catch(() => undefined)
      .finally(() => (this.looking = undefined));
  }

  /** Follows the work that there is to its end; whoever asks meanwhile waits for the same. */
  private follow(): Promise<readonly GroupProgress[] | undefined> {
    const { calls, screen } = this.parts;
    const ask = async (): Promise<readonly GroupProgress[]> => progressOf(calls, await groupsOf(calls));
    const following = { ask, screen, pace: this.pace, stopped: () => this.stopping };
    this.following ??= followIngestion(following).finally(() => (this.following = undefined));
    return this.following;
  }
}
