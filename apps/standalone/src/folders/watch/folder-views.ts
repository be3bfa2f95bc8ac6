import type { FolderState, FolderView } from './folder-view';
import { ProcessView } from './process-view';

/** Opens the view of a folder. */
export type OpenView = (folder: string) => FolderView;

/** Views in processes that are killed when their share is silent for so many milliseconds. */
export const inProcesses =
  (silenceMs: number): OpenView =>
  (folder) =>
    new ProcessView(folder, silenceMs);

/** The views of all folders, one each. */
export class FolderViews {
  private readonly views = new Map<string, FolderView>();

  constructor(private readonly open: OpenView) {}

  of(folder: string): FolderView {
    const view = this.views.get(folder) ?? this.open(folder);
    this.views.set(folder, view);
    return view;
  }

  /** What is at the path of a folder. */
  async look(folder: string): Promise<FolderState> {
    const state = await this.of(folder).look();
    if (state.path !== folder) await this.remove(folder);
    return state;
  }

  /** A path with links resolved; a path that cannot be resolved stays unchanged. */
  async realOf(folder: string): Promise<string> {
    return (await this.look(folder)).path;
  }

  async remove(folder: string): Promise<void> {
    const view = this.views.get(folder);
    this.views.delete(folder);
    await view?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.views.keys()].map((folder) => this.remove(folder)));
  }
}
