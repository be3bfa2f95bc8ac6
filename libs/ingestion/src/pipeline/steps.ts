import type { TenantScope, Transaction } from '@acervo/platform-database';
import { newObjectKey, type ObjectStore } from '@acervo/platform-object-store';
import type { Stage } from '@acervo/platform-queue';
import type { Cpu } from '../workers/cpu';
import type { Vectoriser } from '../embedding/vectoriser';
import type { ResultStore } from './result.store';
import { type PipelineSettings, type StepKeys, stepKeys, SUMMARY_LENGTH } from './settings';
import { ACQUIRE, CHUNK, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from './stages';
import type { Advance, DocumentPatch, WorkingDocument } from './work.store';

/** What a step found out, and what it wants to remember. */
export interface Done {
  readonly patch: DocumentPatch;
  keep(tx: Transaction): Promise<void>;
}

/** Said after each piece of progress of a long step, so that its work is not taken for dead. */
export type Alive = () => Promise<void>;

/** One step of a document: from one state to the next, outside any transaction. */
export interface Step extends Advance {
  readonly stage: Stage;
  readonly next: Stage;
  /** Documents of a batch at a time; one unless the step mostly waits for others. */
  readonly parallel?: number;
  /** @throws DocumentRefused for what no second try would change. */
  work(scope: TenantScope, document: WorkingDocument, alive: Alive): Promise<Done>;
}

export interface StepParts {
  readonly cpu: Cpu;
  readonly objects: ObjectStore;
  readonly results: ResultStore;
  readonly settings: PipelineSettings;
  readonly vectoriser: Vectoriser;
}

/** A column that an earlier step must have filled. */
export const filled = (value: string | null): string => {
  if (value === null) throw new Error('An earlier step left nothing to work on.');
  return value;
};

const acquire = ({ cpu, objects, results }: StepParts): Step => ({
  stage: ACQUIRE,
  from: 'DETECTADO',
  to: 'ADQUIRIDO',
  next: EXTRACT,
  work: async (scope, { rootPath: root, relativePath }) => {
    const { bytes, hash, size, mtime } = await cpu.run('takeFile', { root, relativePath });
    const { value, keep } = await results.reuse(scope, ACQUIRE.name, hash, async () => {
      const originalObject = newObjectKey(scope, 'original');
      await objects.put(scope, originalObject, bytes);
      return { originalObject };
    });
    return { patch: { contentHash: hash, size, mtime, ...value }, keep };
  },
});

type Make = (scope: TenantScope, document: WorkingDocument) => Promise<DocumentPatch>;

/** A step whose result follows from the bytes and the settings alone. */
const remembered = (
  { results, settings }: StepParts,
  step: Omit<Step, 'work'>,
  key: keyof StepKeys,
  make: Make,
): Step => ({
  ...step,
  work: async (scope, document) => {
    const keys = stepKeys(settings, document.name, filled(document.contentHash));
    const { value, keep } = await results.reuse(scope, step.stage.name, keys[key], () => make(scope, document));
    return { patch: value, keep };
  },
});

const extracting =
  ({ cpu, objects }: StepParts): Make =>
  async (scope, { name, originalObject }) => {
    const bytes = await objects.get(scope, filled(originalObject));
    const { text, ...known } = await cpu.run('extract', { name, bytes });
    const textObject = newObjectKey(scope, 'text');
    await objects.put(scope, textObject, text);
    return { textObject, ...known };
  };

const summarising =
  ({ cpu, objects }: StepParts): Make =>
  async (scope, { textObject }) => {
    const text = await objects.get(scope, filled(textObject));
    return { summary: await cpu.run('summarise', { text, most: SUMMARY_LENGTH }) };
  };

const chunking =
  ({ cpu, objects, settings }: StepParts): Make =>
  async (scope, { textObject }) => {
    const text = await objects.get(scope, filled(textObject));
    const { chunks, count } = await cpu.run('chunk', { text, options: settings.chunks });
    const chunksObject = newObjectKey(scope, 'chunks');
    await objects.put(scope, chunksObject, chunks);
    return { chunksObject, chunkCount: count };
  };

/** Vectors for the space that is searched now. Where they cannot be had, words find the document meanwhile. */
const embed = ({ vectoriser }: StepParts): Step => ({
  stage: EMBED,
  from: 'FRAGMENTADO',
  to: 'FRAGMENTADO',
  next: HAND_OVER,
  parallel: 3,
  work: (scope, document, alive) => vectoriser.searched(scope, document, alive),
});

/** The steps before the hand-over. */
export const pipelineSteps = (parts: StepParts) => ({
  acquire: acquire(parts),
  extract: remembered(
    parts,
    { stage: EXTRACT, from: 'ADQUIRIDO', to: 'EXTRAIDO', next: SUMMARISE },
    'extract',
    extracting(parts),
  ),
  summarise: remembered(
    parts,
    { stage: SUMMARISE, from: 'EXTRAIDO', to: 'RESUMIDO', next: CHUNK },
    'summarise',
    summarising(parts),
  ),
  chunk: remembered(
    parts,
    { stage: CHUNK, from: 'RESUMIDO', to: 'FRAGMENTADO', next: EMBED },
    'chunk',
    chunking(parts),
  ),
  embed: embed(parts),
});
export type PipelineSteps = ReturnType<typeof pipelineSteps>;
