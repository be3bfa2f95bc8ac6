import { type PipelineProcess, pipelineProcess, type QueueStatus, queueStatus } from '@acervo/public-mapping';
import { Choice, Code, Int, ListOf, Moment, Text } from '../fields';
import type { QueueItem } from './queue';

/** The input and answer of `/cola-estados-docs`, which presents `queue.list`. */
export class EarlierQueueRequest {
  @Choice(pipelineProcess.internalCodes, {
    ...{ publicly: pipelineProcess, wire: 'proceso', optional: true },
    description: 'Only work of this kind',
  })
  readonly process?: PipelineProcess;
  @Choice(queueStatus.internalCodes, {
    ...{ publicly: queueStatus, wire: 'estado', optional: true },
    description: 'Only work in this state',
  })
  readonly status?: QueueStatus;
  @Int({ min: 1, max: 200, default: 20, description: 'Most items to return' }) readonly limit!: number;
}

/** One step of one document as the web application reads it. */
class EarlierQueueItem {
  @Code({ wire: 'codigo_documento', nullable: true, description: 'Document; null for work on a whole space' })
  readonly documentCode!: string | null;
  @Text({ wire: 'nombre_documento', max: 1024, nullable: true, description: 'Name of the document' })
  readonly documentName!: string | null;
  @Choice(pipelineProcess.internalCodes, { publicly: pipelineProcess, wire: 'proceso', description: 'What is done' })
  readonly process!: PipelineProcess;
  @Choice(queueStatus.internalCodes, { publicly: queueStatus, wire: 'estado', description: 'State of the work' })
  readonly status!: QueueStatus;
  @Int({ wire: 'intentos', description: 'Times that it was begun' }) readonly attempts!: number;
  @Text({ wire: 'motivo', max: 500, nullable: true, description: 'Why it failed the last time' })
  readonly reason!: string | null;
  @Moment({ wire: 'fecha_creacion', description: 'When it was put in the queue' }) readonly createdAt!: string;
  @Moment({ wire: 'fecha_modificacion', description: 'When something last happened to it' })
  readonly updatedAt!: string;
}

export class EarlierQueue {
  @ListOf(() => EarlierQueueItem, { max: 200, description: 'Work on visible documents, what was last touched first' })
  readonly items!: readonly QueueItem[];
  @Int({ description: 'Items that match' }) readonly total!: number;
  @Int({ min: 1, max: 200, description: 'Most items of the answer' }) readonly limit!: number;
}
