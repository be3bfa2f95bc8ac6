import { isAbsolute } from 'node:path';
import type { AcquiredFile, FilePlace, Walk } from '@acervo/files';
import { FolderUnreadable } from '../locations/location.errors';
import type { RootFolder } from '../locations/root-folder';
import { FileAccess, type WalkOrder } from './file-access';
import { Share, type ShareLimits } from './share';
import { WalkAssembly } from './walk-parts';

/** What reads a root: its documents do not wait for a walk, nor requests for either. */
type Purpose = 'walk' | 'files' | 'resolve';

/** An access process answered another order than its own. */
const confused = (): Error => new Error('The access process gave the answer of another order.');

/**
 * Access in killable processes, one for each root and purpose. The threads of this process never touch a share, so that
 * a hung one blocks neither requests nor other shares.
 */
export class ProcessFileAccess extends FileAccess {
  private readonly shares = new Map<string, Share>();

  constructor(
    private readonly limits: ShareLimits,
    private readonly log: (event: string) => void,
  ) {
    super();
  }

  override walk(order: WalkOrder): Promise<Walk> {
    const { limits } = this;
    return this.share('walk', order.root).run(async (worker) => {
      const assembly = new WalkAssembly();
      // Half of the deadline of the process: one that only waits for entries reports them before it is killed.
      const limited = { ...order, limits: { ...order.limits, entryMs: limits.silenceMs / 2 } };
      const report = await worker.execute({ kind: 'walk', order: limited }, ({ part }) => assembly.add(part));
      if (report.kind !== 'walked') throw confused();
      const found = assembly.end(report.end);
      // Threads that wait for a hung entry keep their process from further work.
      if (found.unseen.some(({ hung }) => hung === true)) worker.kill();
      return found;
    });
  }

  override takeFile(place: FilePlace): Promise<AcquiredFile> {
    return this.share('files', place.root).run(async (worker) => {
      const report = await worker.execute({ kind: 'take', place });
      if (report.kind !== 'taken') throw confused();
      return report.file;
    });
  }

  override async resolveRoot(path: string): Promise<RootFolder> {
    if (!isAbsolute(path)) throw new FolderUnreadable();
    try {
      return await this.share('resolve', path).run(async (worker) => {
        const report = await worker.execute({ kind: 'resolve', path });
        if (report.kind !== 'resolved') throw confused();
        return report.folder;
      });
    } catch {
      throw new FolderUnreadable();
    }
  }

  override close(): Promise<void> {
    for (const share of this.shares.values()) share.close();
    return Promise.resolve();
  }

  /** The processes that read a root, for tests that stop them. */
  pidsOf(root: string): number[] {
    return (['walk', 'files', 'resolve'] as const).flatMap(
      (purpose) => this.shares.get(`${purpose} ${root}`)?.pid ?? [],
    );
  }

  private share(purpose: Purpose, root: string): Share {
    const key = `${purpose} ${root}`;
    const share = this.shares.get(key) ?? new Share(this.limits, this.log);
    this.shares.set(key, share);
    return share;
  }
}
