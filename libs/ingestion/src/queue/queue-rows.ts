import type { QueueItem } from '@acervo/contracts';
import { taskState, type TaskStateLabels } from '@acervo/platform-queue';
import type { QueueStatus } from '@acervo/public-mapping';

/** The public states of work; delayed work is EN_ESPERA. */
const LABELS: Record<keyof TaskStateLabels, QueueStatus> = {
  ...({ waiting: 'PENDIENTE', delayed: 'EN_ESPERA' } as const),
  ...({ leased: 'EN_PROCESO', done: 'COMPLETADO', failed: 'ERROR' } as const),
};

/** The public state of a task. */
export const STATUS = taskState(LABELS);

export interface QueueRow extends Omit<QueueItem, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const itemOf = ({ createdAt, updatedAt, ...row }: QueueRow): QueueItem => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
