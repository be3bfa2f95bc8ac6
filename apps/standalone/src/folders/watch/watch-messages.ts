import type { FolderState } from './folder-view';
import type { TreeChange, TreeNews } from './tree-watch';

/** An order to a watch process. Each order has an answer with its number. */
export interface WatchOrder {
  readonly number: number;
  readonly kind: 'look' | 'watch' | 'unwatch';
}

/** The report of a watch process: its start, the answer to an order, or news of the watched tree. */
export type WatchReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly number: number; readonly state: FolderState | null }
  | { readonly kind: 'news'; readonly news: 'changed'; readonly change: TreeChange }
  | { readonly kind: 'news'; readonly news: Exclude<keyof TreeNews, 'changed'> };
