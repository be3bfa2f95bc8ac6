import { listRoots } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { FolderWatch } from './folder-watch';
import type { KnownFolders } from './known-folders';

export interface FolderChangesParts {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly directory: KnownFolders;
  readonly watch: FolderWatch;
}

const EVERY_MS = 5_000;

/** Heeds which folders are added and deleted in the application: the former are watched from then on, the latter left. */
export class FolderChanges {
  private timer: NodeJS.Timeout | undefined;
  private held = 0;
  private looking: Promise<void> | undefined;
  /** Those that were to be watched: what is refused, or known by another path, is not offered for ever. */
  private readonly offered = new Set<string>();

  constructor(private readonly parts: FolderChangesParts) {}

  start(): void {
    this.timer ??= setInterval(() => {
      // The service is away: the next look tells.
      this.looking ??= this.look()
        .catch(() => undefined)
        .finally(() => (this.looking = undefined));
    }, EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.held += 1;
    await this.looking;
  }

  /** Folders are named meanwhile: what is read of them is not yet what is meant. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.held += 1;
    try {
      return await work();
    } finally {
      this.held -= 1;
    }
  }

  private async look(): Promise<void> {
    const { calls, scope, directory, watch } = this.parts;
    if (this.held > 0) return;
    const { roots } = await calls.send(listRoots, scope, {});
    if (this.held > 0) return;
    const known = new Set(directory.folders);
    for (const { path, deleted, awaitsRun } of roots) {
      if (deleted) this.offered.delete(path);
      if (deleted && known.has(path)) {
        directory.forget(path);
        await watch.remove(path);
      }
      // The watch begins with a scan: the run that whoever added the folder was told of goes before.
      if (deleted || awaitsRun || known.has(path) || this.offered.has(path)) continue;
      this.offered.add(path);
      directory.remember(path);
      void watch.add(path);
    }
  }
}
