import { realpath, stat } from 'node:fs/promises';
import { type TreeNews, TreeWatch, type Watch } from './tree-watch';

/** What is at the path of a folder. */
export interface FolderState {
  /** The path with links resolved, as scans record folders; the path itself if it cannot be resolved. */
  readonly path: string;
  /** Device and inode; undefined if the path has no folder, or one that cannot be read. */
  readonly identity: string | undefined;
}

/** Looks at one folder, and watches it. */
export interface FolderView {
  look(): Promise<FolderState>;
  /** Replaces an earlier watch. Resolves when every folder below is watched, or when the folder cannot be watched. */
  watch(news: TreeNews): Promise<void>;
  unwatch(): Promise<void>;
  close(): Promise<void>;
}

/** A view in this process: a share that does not answer stops the process. */
export class DirectView implements FolderView {
  private tree: TreeWatch | undefined;

  constructor(
    private readonly folder: string,
    private readonly open?: Watch,
  ) {}

  async look(): Promise<FolderState> {
    const [path, identity] = await Promise.all([
      realpath(this.folder).catch(() => this.folder),
      stat(this.folder, { bigint: true }).then(
        ({ dev, ino }) => `${dev}-${ino}`,
        () => undefined,
      ),
    ]);
    return { path, identity };
  }

  async watch(news: TreeNews): Promise<void> {
    await this.unwatch();
    this.tree = new TreeWatch(this.folder, news, this.open);
    await this.tree.ready;
  }

  async unwatch(): Promise<void> {
    const { tree } = this;
    this.tree = undefined;
    await tree?.close();
  }

  close(): Promise<void> {
    return this.unwatch();
  }
}
