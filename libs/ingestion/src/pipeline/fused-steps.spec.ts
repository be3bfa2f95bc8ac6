import { DocumentRefused } from '@acervo/files';
import { Failpoints } from '@acervo/platform-messaging';
import type { ObjectStore } from '@acervo/platform-object-store';
import type { Lease, Stage } from '@acervo/platform-queue';
import { WorkScope } from '@acervo/rbac';
import type { CorpusPages } from '../corpus/corpus-pages';
import { FusedSteps, FusionLimit, RefusedLater } from './fused-steps';
import type { Outcome } from './outcome';
import { PipelineOrder } from './pipeline-order';
import type { PipelineRow } from './pipeline-table';
import { ACQUIRE, CHUNK, CLASSIFY, EXTRACT, HAND_OVER, SUMMARISE } from '../kernel/stages';
import { PipelineSteps } from './steps/pipeline-steps';
import type { Step, StepContext, StepOutput } from './steps/step';
import type { WorkingDocument } from '../document-state/working-document.store';

const lease = { subjectId: 'd', generation: 1 } as Lease;
const document = { documentId: 'd', generation: 1, status: 'DETECTADO', name: 'a.txt' } as WorkingDocument;
const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'ingestion', 'test');

const STATES = ['DETECTADO', 'ADQUIRIDO', 'EXTRAIDO', 'CLASIFICADO', 'RESUMIDO', 'FRAGMENTADO'] as const;
const STAGES = [ACQUIRE, EXTRACT, CLASSIFY, SUMMARISE, CHUNK] as const;

type Changes = Readonly<Record<string, Partial<Step> & { readonly isCheap?: () => boolean }>>;

/** Rows of which each step names its stage in the patch; `changes` replaces parts of some of them. */
const rowsOf = (changes: Changes): readonly (PipelineRow & { readonly instance: Step })[] =>
  STAGES.map((stage, at) => {
    const instance: Step = {
      work: (): Promise<StepOutput> => Promise.resolve({ patch: { title: stage.name }, objects: [stage.name] }),
      isCheap: () => true,
      ...changes[stage.name],
    };
    return {
      ...{ stage, from: STATES[at] ?? 'DETECTADO', to: STATES[at + 1] ?? 'FRAGMENTADO' },
      ...{ columns: ['title', 'textObject'], resultKey: null, isCheap: 'by-document', publicProcess: 'extract' },
      ...{ step: class {} as PipelineRow['step'], instance },
      ...(stage === CHUNK ? { takesPages: true } : {}),
    };
  });

const END: PipelineRow = {
  ...{ stage: HAND_OVER, from: 'FRAGMENTADO', to: 'FRAGMENTADO', columns: [], resultKey: null },
  ...{ isCheap: true, publicProcess: 'hand-over', step: null },
};

interface Surroundings {
  readonly limitMs?: number;
  readonly get?: jest.Mock;
  /** Of a group whose corpus is limited. */
  readonly take?: jest.Mock;
}

const fusing = (changes: Changes = {}, { limitMs, get = jest.fn(), take }: Surroundings = {}) => {
  const rows = rowsOf(changes);
  const steps = new PipelineSteps(
    new PipelineOrder([...rows, END]),
    new Map(rows.map(({ step, instance }) => [step, instance])),
  );
  const [objects, pages] = [{ get } as unknown as ObjectStore, { take } as unknown as CorpusPages];
  const fused = new FusedSteps(steps, objects, new FusionLimit(limitMs), pages, Failpoints.none);
  const leased = { ...document, awaitsPages: take !== undefined };
  return (first: Stage = ACQUIRE, stopping = new AbortController().signal): Promise<Outcome> => {
    const step = steps.of(first);
    if (step === undefined) throw new Error('There is no such step.');
    return fused.run(scope, step, { lease, document: leased, progress: () => undefined, stopping });
  };
};

/** The states and objects of an outcome, and what follows. */
const summaryOf = ({ output, nextStage }: Outcome): unknown[] => [
  output?.from,
  output?.to,
  output?.outputs.flatMap(({ objects }) => objects),
  nextStage === 'hand-over' ? nextStage : nextStage?.name,
];

describe('fused steps', () => {
  it('cheap steps follow within the lease, up to the hand-over', async () => {
    const outcome = await fusing()();
    expect(summaryOf(outcome)).toEqual([
      'DETECTADO',
      'FRAGMENTADO',
      ['acquire', 'extract', 'classify', 'summarise', 'chunk'],
      'hand-over',
    ]);
    expect(outcome.output?.patch).toEqual({ title: 'chunk' });
  });

  it('a document whose pages do not fit is suspended before its chunks', async () => {
    const take = jest.fn().mockResolvedValue(false);
    const outcome = await fusing({}, { take })();
    expect(summaryOf(outcome)).toEqual([
      'DETECTADO',
      'RESUMIDO',
      ['acquire', 'extract', 'classify', 'summarise'],
      'chunk',
    ]);
    expect(outcome.isSuspended).toBe(true);
    expect(await fusing({}, { take })(CHUNK)).toEqual({ lease, nextStage: CHUNK, isSuspended: true });
  });

  it('pages that cannot be taken now leave the chunks to their own stage', async () => {
    const outcome = await fusing({}, { take: jest.fn().mockRejectedValue(new Error('busy')) })();
    expect([outcome.nextStage, outcome.isSuspended]).toEqual([CHUNK, undefined]);
  });

  it('a step that is not cheap is left to its own stage', async () => {
    const work = fusing({ extract: { isCheap: () => false } });
    expect(summaryOf(await work())).toEqual(['DETECTADO', 'ADQUIRIDO', ['acquire'], 'extract']);
    expect(summaryOf(await work(EXTRACT))).toEqual([
      'ADQUIRIDO',
      'FRAGMENTADO',
      ['extract', 'classify', 'summarise', 'chunk'],
      'hand-over',
    ]);
  });

  it('a document that took long leaves; the time of a long stage does not count', async () => {
    jest.useFakeTimers();
    try {
      const work = async (): Promise<StepOutput> => {
        await jest.advanceTimersByTimeAsync(80);
        return { patch: {}, objects: [] };
      };
      const slow = fusing({ acquire: { work }, extract: { work } }, { limitMs: 40 });
      expect((await slow()).nextStage).toBe(EXTRACT);
      expect((await slow(EXTRACT)).nextStage).toBe('hand-over');
    } finally {
      jest.useRealTimers();
    }
  });

  it('no step follows once the process ends', async () => {
    const stopping = new AbortController();
    stopping.abort();
    expect((await fusing()(ACQUIRE, stopping.signal)).nextStage).toBe(EXTRACT);
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
    expect(refused).toMatchObject({ refused: refusal, output: { from: 'DETECTADO', to: 'ADQUIRIDO' } });
  });

  it('steps of one lease share the text, which the store gives at most once', async () => {
    const texts: Uint8Array[] = [];
    const reads = async (_scope: unknown, _document: unknown, context: StepContext): Promise<StepOutput> => {
      texts.push(await context.text());
      return { patch: {}, objects: [] };
    };
    const stored = Buffer.from('stored');
    const get = jest.fn().mockResolvedValue(stored);
    const extract = (text?: Uint8Array) => ({
      work: () =>
        Promise.resolve({ patch: { textObject: 'key' }, objects: [], ...(text === undefined ? {} : { text }) }),
    });
    const reading = { classify: { work: reads }, summarise: { work: reads }, chunk: { work: reads } };
    await fusing({ extract: extract(), ...reading }, { get })();
    expect([get.mock.calls.map(([, key]) => key as string), texts]).toEqual([['key'], [stored, stored, stored]]);
    const made = Buffer.from('made');
    await fusing({ extract: extract(made), ...reading }, { get })();
    expect([get.mock.calls.length, texts.slice(3)]).toEqual([1, [made, made, made]]);
  });

  it('a step that writes a column that its row does not name fails', async () => {
    const work = (): Promise<StepOutput> => Promise.resolve({ patch: { summary: 'x' }, objects: [] });
    await expect(fusing({ acquire: { work } })()).rejects.toThrow('The step of acquire writes summary');
  });

  it('a lost connection fails the whole work', async () => {
    const lost = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    await expect(fusing({ chunk: { work: () => Promise.reject(lost) } })()).rejects.toBe(lost);
  });
});
