import { PipelineOrder } from './pipeline-order';
import { PIPELINE, pipelineOrder, type PipelineRow } from './pipeline-table';
import { ACQUIRE, CHUNK, CLASSIFY, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from '../kernel/stages';

const WEIGH = { ...SUMMARISE, name: 'weigh' };

/** A step between extraction and classification, without a state of its own. */
const weighing: PipelineRow = {
  ...{ stage: WEIGH, from: 'EXTRAIDO', to: 'EXTRAIDO', columns: ['author'], resultKey: null },
  ...{ isCheap: true, publicProcess: 'extract', step: class {} as PipelineRow['step'] },
};

const rowOf = (order: PipelineOrder, stage: typeof ACQUIRE): PipelineRow => {
  const row = order.rowOf(stage);
  if (row === undefined) throw new Error(`There is no row of ${stage.name}.`);
  return row;
};

describe('the order of the pipeline', () => {
  it('a document goes from state to state', () => {
    const next = [ACQUIRE, EXTRACT, CLASSIFY, SUMMARISE, CHUNK, EMBED].map(
      (stage) => pipelineOrder.after(rowOf(pipelineOrder, stage)).stage.name,
    );
    expect(next).toEqual(['extract', 'classify', 'summarise', 'chunk', 'hand-over', 'hand-over']);
    expect(pipelineOrder.states).toEqual([
      ...['DETECTADO', 'ADQUIRIDO', 'EXTRAIDO', 'CLASIFICADO', 'RESUMIDO', 'FRAGMENTADO'],
    ]);
  });

  it('a return empties and repeats what follows the state', () => {
    expect(pipelineOrder.reversalTo('EXTRAIDO')).toEqual({
      ...{ status: 'EXTRAIDO', next: CLASSIFY, retained: ['original_object', 'text_object'] },
      discarded: ['summary', 'chunks_object', 'chunk_count', 'chunks_digest', 'vectors_object', 'embedding'],
      repeated: ['classify', 'summarise', 'chunk', 'embed', 'hand-over'],
    });
    expect(pipelineOrder.reversalTo('FRAGMENTADO')).toMatchObject({
      ...{ next: HAND_OVER, discarded: ['vectors_object', 'embedding'], repeated: ['embed', 'hand-over'] },
    });
    expect(pipelineOrder.reversalTo('VECTORIZADO')).toBeUndefined();
  });

  it('tasks of the last release begin with the steps that it does not know', () => {
    const summarise = rowOf(pipelineOrder, SUMMARISE);
    expect(pipelineOrder.beginning(summarise, 'EXTRAIDO')?.stage).toBe(CLASSIFY);
    expect(pipelineOrder.beginning(summarise, 'CLASIFICADO')?.stage).toBe(SUMMARISE);
    expect(pipelineOrder.beginning(summarise, 'ADQUIRIDO')).toBeUndefined();
    expect(pipelineOrder.beginning(rowOf(pipelineOrder, CHUNK), 'CLASIFICADO')).toBeUndefined();
  });

  it('an inserted row is all that a step needs', () => {
    const place = PIPELINE.findIndex(({ stage }) => stage === CLASSIFY);
    const order = new PipelineOrder([...PIPELINE.slice(0, place), weighing, ...PIPELINE.slice(place)]);
    expect(order.after(rowOf(order, EXTRACT)).stage).toBe(WEIGH);
    expect(order.after(rowOf(order, WEIGH)).stage).toBe(CLASSIFY);
    expect(order.milestoneAt('EXTRAIDO')?.next).toBe(WEIGH);
    expect(order.reversalTo('EXTRAIDO')).toMatchObject({ next: WEIGH, discarded: expect.arrayContaining(['author']) });
    expect(order.reversalTo('CLASIFICADO')?.discarded).not.toContain('author');
    expect(order.processes).toContainEqual({ stage: WEIGH, process: 'extract' });
  });

  it('rows that are no way are refused', () => {
    expect(() => new PipelineOrder(PIPELINE.filter(({ stage }) => stage !== CLASSIFY))).toThrow(
      'extract ends in EXTRAIDO, and summarise begins in CLASIFICADO',
    );
  });
});
