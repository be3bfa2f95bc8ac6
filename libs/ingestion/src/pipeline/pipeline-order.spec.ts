import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PipelineOrder } from './pipeline-order';
import { PIPELINE, pipelineOrder, type PipelineRow } from './pipeline-table';
import { ACQUIRE, CHUNK, CLASSIFY, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from '../kernel/stages';
import { PipelineSteps } from './steps/pipeline-steps';

const WEIGH = { ...SUMMARISE, name: 'weigh' };

/** A step between extraction and classification, without a state of its own. */
const weighing: PipelineRow = {
  ...{ stage: WEIGH, from: 'EXTRAIDO', to: 'EXTRAIDO', columns: ['author'], resultKey: null },
  ...{ isCheap: true, publicProcess: 'extract', step: class {} as PipelineRow['step'] },
};

/** The rows that this suite describes; another step changes nothing between them. */
const STAGES = [ACQUIRE, EXTRACT, CLASSIFY, SUMMARISE, CHUNK, EMBED, HAND_OVER];
const ROWS = PIPELINE.filter(({ stage }) => STAGES.includes(stage));
const order = new PipelineOrder(ROWS);

/** The order with a row before CLASSIFY. */
const withRow = (row: PipelineRow): PipelineOrder => {
  const place = ROWS.findIndex(({ stage }) => stage === CLASSIFY);
  return new PipelineOrder([...ROWS.slice(0, place), row, ...ROWS.slice(place)]);
};

const rowOf = (from: PipelineOrder, stage: typeof ACQUIRE): PipelineRow => {
  const row = from.rowOf(stage);
  if (row === undefined) throw new Error(`There is no row of ${stage.name}.`);
  return row;
};

describe('the order of the pipeline', () => {
  it('a document goes from state to state', () => {
    const next = [ACQUIRE, EXTRACT, CLASSIFY, SUMMARISE, CHUNK, EMBED].map(
      (stage) => order.after(rowOf(order, stage)).stage.name,
    );
    expect(next).toEqual(['extract', 'classify', 'summarise', 'chunk', 'hand-over', 'hand-over']);
    expect(order.states).toEqual(['DETECTADO', 'ADQUIRIDO', 'EXTRAIDO', 'CLASIFICADO', 'RESUMIDO', 'FRAGMENTADO']);
  });

  it('a return empties and repeats what follows the state', () => {
    expect(order.reversalTo('EXTRAIDO')).toEqual({
      ...{ status: 'EXTRAIDO', next: CLASSIFY, retained: ['original_object', 'text_object'] },
      discarded: ['summary', 'chunks_object', 'chunk_count', 'chunks_digest', 'vectors_object', 'embedding'],
      repeated: ['classify', 'summarise', 'chunk', 'embed', 'hand-over'],
    });
    expect(order.reversalTo('FRAGMENTADO')).toMatchObject({
      ...{ next: HAND_OVER, discarded: ['vectors_object', 'embedding'], repeated: ['embed', 'hand-over'] },
    });
    expect(order.reversalTo('VECTORIZADO')).toBeUndefined();
  });

  it('tasks of the last release begin with the steps that it does not know', () => {
    const summarise = rowOf(order, SUMMARISE);
    expect(order.beginning(summarise, 'EXTRAIDO')?.stage).toBe(CLASSIFY);
    expect(order.beginning(summarise, 'CLASIFICADO')?.stage).toBe(SUMMARISE);
    expect(order.beginning(summarise, 'ADQUIRIDO')).toBeUndefined();
    expect(order.beginning(rowOf(order, CHUNK), 'CLASIFICADO')).toBeUndefined();
  });

  it('an inserted row is all that a step needs', () => {
    const longer = withRow(weighing);
    expect(longer.after(rowOf(longer, EXTRACT)).stage).toBe(WEIGH);
    expect(longer.after(rowOf(longer, WEIGH)).stage).toBe(CLASSIFY);
    expect(longer.milestoneAt('EXTRAIDO')?.next).toBe(WEIGH);
    expect(longer.reversalTo('EXTRAIDO')).toMatchObject({ next: WEIGH, discarded: expect.arrayContaining(['author']) });
    expect(longer.reversalTo('CLASIFICADO')?.discarded).not.toContain('author');
    expect(longer.processes).toContainEqual({ stage: WEIGH, process: 'extract' });
  });

  it('rows that are no way are refused', () => {
    expect(() => new PipelineOrder(ROWS.filter(({ stage }) => stage !== CLASSIFY))).toThrow(
      'extract ends in EXTRAIDO, and summarise begins in CLASIFICADO',
    );
  });

  it('a row without a step stops the start, unless it hands over', () => {
    expect(() => withRow({ ...weighing, step: null })).toThrow('pipeline-table.ts names no step for weigh');
  });

  it('a second row of a stage stops the start', () => {
    expect(() => withRow({ ...weighing, stage: EXTRACT })).toThrow('two rows of extract');
  });

  it('a new row without a state of its own stops the start', () => {
    expect(() => withRow({ ...weighing, isNew: true })).toThrow('weigh has no state of its own');
  });

  it('a row without a provider stops the start with its name', () => {
    expect(() => new PipelineSteps(withRow(weighing), new Map())).toThrow(
      'No provider works the stage acquire of pipeline-table.ts',
    );
  });
});

describe('the table of the pipeline', () => {
  const folder = join(__dirname, 'steps');
  const files = readdirSync(folder).filter((file) => file.endsWith('.step.ts'));

  it('the stages follow each other as this suite describes them', () => {
    expect(pipelineOrder.stages.filter((stage) => STAGES.includes(stage))).toEqual(STAGES);
  });

  it.each(files)('the step of %s has a row', async (file) => {
    const exported = (await import(join(folder, file))) as Readonly<Record<string, unknown>>;
    const steps: unknown[] = PIPELINE.map(({ step }) => step);
    expect(Object.values(exported).filter((value) => steps.includes(value))).toHaveLength(1);
  });
});
