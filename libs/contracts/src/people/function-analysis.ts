import { queueStatus, type QueueStatus } from '@acervo/public-mapping';
import { call } from '../calls';
import { Choice, Code, Int, ListOf, Moment, TextList, Uuid } from '../fields';
import { FunctionBehaviourItem } from './function-behaviours';
import { FunctionReference } from './function-reference';

/** What the last analysis found: the published operations of a function beside its edges and its behaviours. */
export class FunctionAnalysis {
  @Int({ wire: 'operaciones', description: 'Published operations of the function' }) readonly operations!: number;
  @TextList({
    wire: 'operaciones_sin_arista',
    max: 1_000,
    length: 120,
    description: 'Operations that the stored edges lack',
  })
  readonly operationsWithoutEdge!: readonly string[];
  @TextList({
    wire: 'aristas_sin_operacion',
    max: 1_000,
    length: 120,
    description: 'Stored edges to operations that the function no longer uses',
  })
  readonly edgesWithoutOperation!: readonly string[];
  @ListOf(() => FunctionBehaviourItem, {
    wire: 'comportamientos_sin_operacion',
    max: 200,
    description: 'Behaviours that name no operation of the function',
  })
  readonly behavioursWithoutOperation!: readonly FunctionBehaviourItem[];
  @TextList({
    wire: 'operaciones_sin_comportamiento',
    max: 1_000,
    length: 120,
    description: 'Operations that no behaviour names',
  })
  readonly operationsWithoutBehaviour!: readonly string[];
  @Moment({ wire: 'fecha_analisis', description: 'When the analysis was made' }) readonly analysedAt!: string;
}

/** The analysis that was queued. */
export class QueuedFunctionAnalysis {
  @Code({ wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
  @Uuid({ wire: 'id_tarea', description: 'The task' }) readonly taskId!: string;
  @Choice(queueStatus.internalCodes, { publicly: queueStatus, wire: 'estado', description: 'PENDIENTE' })
  readonly status!: QueueStatus;
}

/** Queues the analysis of a function. Functions belong to all groups, so this requires a SYSTEM user. */
export const analyseFunction = call({
  owner: 'auth',
  scope: 'user',
  callers: ['auth'],
  reach: 'group',
  effect: 'write',
  code: 'functions.analyse',
  input: FunctionReference,
  output: QueuedFunctionAnalysis,
});
