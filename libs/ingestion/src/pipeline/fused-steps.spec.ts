import { Failpoints } from '@acervo/platform-messaging';
import type { Lease, Stage } from '@acervo/platform-queue';
import { WorkScope } from '@acervo/rbac';
import { DocumentRefused } from '../files/refusal';
import { FusedSteps, FusionLimit, RefusedLater } from './fused-steps';
import type { Outcome } from './outcome';
import { ACQUIRE, CHUNK, CLASSIFY, EXTRACT, HAND_OVER, SUMMARISE } from './stages';
import type { PipelineSteps } from './steps/pipeline-steps';
import type { Done, Step } from './steps/step';
import type { WorkingDocument } from './working-document.store';

const lease = { subjectId: 'd', generation: 1 } as Lease;
const document = { documentId: 'd', generation: 1, status: 'DETECTADO', name: 'a.txt' } as WorkingDocument;
const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'ingestion', 'test');

const STATES = ['DETECTADO', 'ADQUIRIDO', 'EXTRAIDO', 'CLASIFICADO', 'RESUMIDO', 'FRAGMENTADO'] as const;
const STAGES = [ACQUIRE, EXTRACT, CLASSIFY, SUMMARISE, CHUNK, HAND_OVER] as const;

/** Steps of which each names its stage in the patch; `changes` replaces parts of some of them. */
const stepsOf = (changes: Readonly<Record<string, Partial<Step>>>): readonly Step[] =>
  STAGES.slice(0, -1).map((stage, at) => ({
    ...{
      stage,
      next: STAGES[at + 1] ?? HAND_OVER,
      from: STATES[at] ?? 'DETECTADO',
      to: STATES[at + 1] ?? 'FRAGMENTADO',
    },
    ...{ atOnce: 1, isCheap: () => true },
    work: (): Promise<Done> => Promise.resolve({ patch: { title: stage.name }, objects: [stage.name] }),
    ...changes[stage.name],
  }));

const fusing = (changes: Readonly<Record<string, Partial<Step>>> = {}, limitMs?: number) => {
  const steps = stepsOf(changes);
  const of = ({ name }: Stage): Step | undefined => steps.find(({ stage }) => stage.name === name);
  const fused = new FusedSteps({ of } as PipelineSteps, new FusionLimit(limitMs), Failpoints.none);
  return (first: Stage = ACQUIRE, stopping = new AbortController().signal): Promise<Outcome> => {
    const step = of(first);
    if (step === undefined) throw new Error('There is no such step.');
    return fused.run(scope, step, { lease, document, progress: () => undefined, stopping });
  };
};

/** The states and objects of an outcome, and what follows. */
const summaryOf = ({ made, then }: Outcome): unknown[] => [
  ...[made?.from, made?.to, made?.done.flatMap(({ objects }) => objects)],
  then === 'hand-over' ? then : then?.name,
];

describe('fused steps', () => {
  it('cheap steps follow within the lease, up to the hand-over', async () => {
    const outcome = await fusing()();
    expect(summaryOf(outcome)).toEqual([
      ...['DETECTADO', 'FRAGMENTADO', ['acquire', 'extract', 'classify', 'summarise', 'chunk']],
      'hand-over',
    ]);
    expect(outcome.made?.patch).toEqual({ title: 'chunk' });
  });

  it('a step that is not cheap is left to its own stage', async () => {
    const work = fusing({ extract: { isCheap: () => false } });
    expect(summaryOf(await work())).toEqual(['DETECTADO', 'ADQUIRIDO', ['acquire'], 'extract']);
    expect(summaryOf(await work(EXTRACT))).toEqual([
      ...['ADQUIRIDO', 'FRAGMENTADO', ['extract', 'classify', 'summarise', 'chunk']],
      'hand-over',
    ]);
  });

  it('a document that took long leaves; the time of a long stage does not count', async () => {
    jest.useFakeTimers();
    try {
      const work = async (): Promise<Done> => {
        await jest.advanceTimersByTimeAsync(80);
        return { patch: {}, objects: [] };
      };
      const slow = fusing({ acquire: { work }, extract: { work } }, 40);
      expect((await slow()).then).toBe(EXTRACT);
      expect((await slow(EXTRACT)).then).toBe('hand-over');
    } finally {
      jest.useRealTimers();
    }
  });

  it('no step follows once the process ends', async () => {
    const stopping = new AbortController();
    stopping.abort();
    expect((await fusing()(ACQUIRE, stopping.signal)).then).toBe(EXTRACT);
  });

  it('a later step that fails is left to its own stage', async () => {
    const work = fusing({ chunk: { work: () => Promise.reject(new Error('The thread ended.')) } });
    expect(summaryOf(await work())).toEqual([
      'DETECTADO',
      'RESUMIDO',
      ['acquire', 'extract', 'classify', 'summarise'],
      'chunk',
    ]);
  });

  it('a later step that refuses ends the document with what was made before', async () => {
    const refusal = new DocumentRefused('ERROR', 'It is damaged.');
    const refused: unknown = await fusing({ extract: { work: () => Promise.reject(refusal) } })().catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(RefusedLater);
    expect(refused).toMatchObject({ refused: refusal, made: { from: 'DETECTADO', to: 'ADQUIRIDO' } });
  });

  it('a lost connection fails the whole work', async () => {
    const lost = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    await expect(fusing({ chunk: { work: () => Promise.reject(lost) } })()).rejects.toBe(lost);
  });
});
