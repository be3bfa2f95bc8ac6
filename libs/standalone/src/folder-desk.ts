import { ingestionProgress, retryFailed } from '@acervo/contracts';
import { type EmbedderDescription, HASHING } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { tellAgreement } from './agreement';
import type { ControlRequest } from './control';
import type { DataDirectory } from './data-directory';
import { followSwitch } from './embedder/switch';
import { FolderWatch } from './folder-watch';
import { followIngestion, progressLine, type Say, summaryOf, takeIn } from './intake';
import type { StartOptions } from './options';

/** Remembers the folders of this start: the one that was named; the sample where there is none at all. */
export const rememberFolders = (directory: DataDirectory, { folder, sample }: StartOptions): void => {
  if (folder !== null) directory.remember(folder);
  else if (directory.folders.length === 0) directory.remember(sample);
};

export interface DeskParts {
  readonly calls: Calls;
  readonly directory: DataDirectory;
  readonly group: { readonly groupId: string; readonly entityCode: string };
  readonly publicPort: number;
  readonly say: Say;
}

/** Looks after the folders of an installation: takes them in, watches them, and answers what starts ask about them. */
export class FolderDesk {
  private stopping = false;
  private readonly scope: WorkScope;
  private readonly watch: FolderWatch;

  constructor(private readonly parts: DeskParts) {
    this.scope = new WorkScope(parts.group.groupId, 'standalone', 'folders');
    const rescan = (folder: string): Promise<void> => this.take(folder, { acceptDeletions: false, onlyChanges: true });
    this.watch = new FolderWatch(rescan, parts.say);
  }

  /** Takes all folders in, one after the other, and follows the work to its end. */
  async open({ watches, acceptDeletions }: { watches: boolean; acceptDeletions: boolean }): Promise<void> {
    for (const folder of this.parts.directory.folders) {
      if (this.stopping) return;
      await this.take(folder, { acceptDeletions, onlyChanges: false });
      if (watches && !this.stopping) this.watch.add(folder);
    }
    await followIngestion(this.parts.calls, this.scope, this.parts.say, () => this.stopping);
  }

  /** Brings the documents that are there to the embedder in use, and notes when searches use it. */
  async settle({ name, url }: EmbedderDescription): Promise<void> {
    const { calls, directory, say } = this.parts;
    const runs = name === HASHING.name || url !== null;
    const following = { calls, scope: this.scope, say, name, runs, stopped: () => this.stopping };
    const settled = await followSwitch(following).catch((error: unknown) => {
      if (!this.stopping)
        say(`The change of the embedder goes on at the next start: ${error instanceof Error ? error.message : ''}`);
      return false;
    });
    if (settled) directory.settle();
  }

  /** What another start on the same directory asks for while this one runs. */
  async carryOut(request: ControlRequest, say: Say): Promise<void> {
    if (request.retryFailed) await this.retryFailed(say);
    if (request.folder !== null) this.parts.directory.remember(request.folder);
    const folders = request.folder === null ? this.parts.directory.folders : [request.folder];
    if (request.folder !== null || request.acceptDeletions)
      for (const folder of folders) {
        await this.take(folder, { acceptDeletions: request.acceptDeletions, onlyChanges: false }, say);
        this.watch.add(folder);
      }
    if (request.status) return this.tellStatus(say);
    say(
      `Acervo runs already: http://localhost:${this.parts.publicPort}. It goes on by itself; --status tells how far.`,
    );
  }

  async retryFailed(say: Say): Promise<void> {
    const { documents } = await this.parts.calls.send(retryFailed, this.scope, {});
    say(documents === 0 ? 'No document has failed.' : `${documents} documents that had failed are worked on again.`);
  }

  async tellStatus(say: Say): Promise<void> {
    const progress = await this.parts.calls.send(ingestionProgress, this.scope, {});
    if (progress.waiting > 0) say(progressLine(progress));
    else summaryOf(progress).forEach(say);
    await tellAgreement(this.parts.calls, this.scope, say);
  }

  async close(): Promise<void> {
    this.stopping = true;
    await this.watch.close();
  }

  private async take(
    folder: string,
    how: { acceptDeletions: boolean; onlyChanges: boolean },
    say: Say = this.parts.say,
  ): Promise<void> {
    const { calls, group } = this.parts;
    await takeIn(calls, this.scope, { folder, entityCode: group.entityCode, ...how }, say).catch((error: unknown) => {
      if (!this.stopping)
        say(`The folder ${folder} was left out: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
