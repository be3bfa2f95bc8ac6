import { listRoots } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { Periodic } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';
import type { FolderWatch } from './watch/folder-watch';
import type { KnownFolders } from './known-folders';

export interface FolderChangesDependencies {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly directory: KnownFolders;
  readonly watch: FolderWatch;
}

const EVERY_MS = 5_000;

/**
 * Polls the registered folders of a group. It watches folders that users add, and stops watching folders that users
 * delete.
 */
export class FolderChanges {
  /** The service is unavailable: the next poll finds the changes. */
  private readonly polls = new Periodic(() => this.look(), { everyMs: EVERY_MS });
  private paused = 0;
  /** Folders offered to the watch. A refused folder, or one known by another path, is not offered again. */
  private readonly offered = new Set<string>();

  constructor(private readonly dependencies: FolderChangesDependencies) {}

  start(): void {
    this.polls.start();
  }

  async close(): Promise<void> {
    this.paused += 1;
    await this.polls.stop();
  }

  /** Pauses polling while `work` registers folders: a list that is read meanwhile may be stale. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.paused += 1;
    try {
      return await work();
    } finally {
      this.paused -= 1;
    }
  }

  private async look(): Promise<void> {
    const { calls, scope, directory, watch } = this.dependencies;
    if (this.paused > 0) return;
    const { roots } = await calls.send(listRoots, scope, {});
    if (this.paused > 0) return;
    const remembered = new Set(directory.folders);
    for (const { path, deleted, awaitsRun } of roots) {
      if (deleted) this.offered.delete(path);
      if (deleted && remembered.has(path)) {
        directory.forget(path);
        await watch.remove(path);
      }
      // A watch begins with a scan. The run that the user requested with the folder has to begin before it.
      if (deleted || awaitsRun || remembered.has(path) || this.offered.has(path)) continue;
      this.offered.add(path);
      directory.remember(path);
      void watch.add(path);
    }
  }
}
