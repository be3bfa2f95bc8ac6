import type { TenantScope, Transaction } from '@acervo/platform-database';
import { newObjectKey, type ObjectStore } from '@acervo/platform-object-store';
import type { Stage } from '@acervo/platform-queue';
import type { Cpu } from '../workers/cpu';
import type { ResultStore } from './result.store';
import { type PipelineSettings, type StepKeys, stepKeys, SUMMARY_LENGTH } from './settings';
import { ACQUIRE, CHUNK, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from './stages';
import type { Advance, DocumentPatch, WorkingDocument } from './work.store';

/** What a step found out, and what it wants to remember. */
export interface Done {
  readonly patch: DocumentPatch;
  keep(tx: Transaction): Promise<void>;
}

/** One step of a document: from one state to the next, outside any transaction. */
export interface Step extends Advance {
  readonly stage: Stage;
  readonly next: Stage;
  /** @throws DocumentRefused for what no second try would change. */
  work(scope: TenantScope, document: WorkingDocument): Promise<Done>;
}

export interface StepParts {
  readonly cpu: Cpu;
  readonly objects: ObjectStore;
  readonly results: ResultStore;
  readonly settings: PipelineSettings;
}

/** A column that an earlier step must have filled. */
const filled = (value: string | null): string => {
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
    const { value, keep } = await results.reuse(
      scope,
      { stage: ACQUIRE.name, key: hash, contentHash: hash },
      async () => {
        const originalObject = newObjectKey(scope, 'original');
        await objects.put(scope, originalObject, bytes);
        return { originalObject };
      },
    );
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
    const contentHash = filled(document.contentHash);
    const id = { stage: step.stage.name, key: stepKeys(settings, document.name, contentHash)[key], contentHash };
    const { value, keep } = await results.reuse(scope, id, () => make(scope, document));
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

const embedding =
  ({ cpu, objects, settings }: StepParts): Make =>
  async (scope, { chunksObject }) => {
    const chunks = await objects.get(scope, filled(chunksObject));
    const vectors = await cpu.run('embed', { chunks, embedder: settings.embedder });
    const vectorsObject = newObjectKey(scope, 'vectors');
    await objects.put(scope, vectorsObject, vectors);
    return { vectorsObject, embedding: settings.space };
  };

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
  embed: remembered(
    parts,
    { stage: EMBED, from: 'FRAGMENTADO', to: 'FRAGMENTADO', next: HAND_OVER },
    'embed',
    embedding(parts),
  ),
});
export type PipelineSteps = ReturnType<typeof pipelineSteps>;
