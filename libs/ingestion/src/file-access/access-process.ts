import { takeFile, walk } from '@acervo/files';
import { type AccessOrder, type AccessReport, failureOf } from './access-messages';
import { resolveRoot } from '../locations/root-folder';
import { partsOf } from './walk-parts';

process.umask(0o077);

const send = (report: AccessReport): void => {
  if (process.connected) process.send?.(report);
};

const progress = (): void => send({ kind: 'progress' });

const execute = async (order: AccessOrder): Promise<void> => {
  if (order.kind === 'take') return send({ kind: 'taken', file: await takeFile(order.place, progress) });
  if (order.kind === 'resolve') return send({ kind: 'resolved', folder: await resolveRoot(order.path) });
  const { root, name, limits } = order.order;
  const { parts, end } = partsOf(await walk(root, name, { ...limits, progress }));
  for (const part of parts) send({ kind: 'part', part });
  send({ kind: 'walked', end });
};

// Terminal signals are for the parent, which ends this process; without a parent it ends itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
send({ kind: 'ready' });
process.on('message', (order) => {
  execute(order as AccessOrder).catch((error: unknown) => send({ kind: 'failed', failure: failureOf(error) }));
});
