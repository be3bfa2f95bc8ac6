import { DirectView } from './folder-view';
import type { TreeNews } from './tree-watch';
import type { WatchOrder, WatchReport } from './watch-messages';

process.umask(0o077);

const send = (report: WatchReport): void => {
  if (process.connected) process.send?.(report);
};

const news: TreeNews = {
  changed: (change) => send({ kind: 'news', news: 'changed', change }),
  outdated: () => send({ kind: 'news', news: 'outdated' }),
  incomplete: () => send({ kind: 'news', news: 'incomplete' }),
};
const view = new DirectView(process.argv[2] ?? '');

const execute = async ({ number, kind }: WatchOrder): Promise<void> => {
  const state = kind === 'look' ? await view.look() : null;
  if (kind === 'watch') await view.watch(news);
  if (kind === 'unwatch') await view.unwatch();
  send({ kind: 'answer', number, state });
};

// Terminal signals are for the parent, which ends this process; without a parent it ends itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
send({ kind: 'ready' });
process.on('message', (order) => void execute(order as WatchOrder));
