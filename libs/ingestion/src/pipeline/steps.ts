import type { TenantScope, Transaction } from '@acervo/platform-database';
import { newObjectKey } from '@acervo/platform-object-store';
import type { Stage } from '@acervo/platform-queue';
import type { AttachmentStore } from '../attachments/attachment.store';
import { type Extracted, extracting, type ExtractingParts } from './extracting';
import type { Vectoriser } from '../embedding/vectoriser';
import type { ResultStore } from './result.store';
import { type PipelineSettings, type StepKeys, stepKeys, SUMMARY_LENGTH } from './settings';
import { ACQUIRE, CHUNK, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from './stages';
import { type Advance, type DocumentPatch, filled, type WorkingDocument } from './work.store';

/** What a step found out, and what it wants to remember. */
export interface Done {
  readonly patch: DocumentPatch;
  /** The objects that it names: to be removed where the document went another way meanwhile. */
  readonly objects: readonly string[];
  keep(tx: Transaction): Promise<void>;
}

/** Said after each piece of progress of a long step, so that its work is not taken for dead. */
export type Alive = () => Promise<void>;

/** One step of a document: from one state to the next, outside any transaction. */
export interface Step extends Advance {
  readonly stage: Stage;
  readonly next: Stage;
  /** Documents that are worked at the same time. */
  readonly atOnce: number;
  /** @throws DocumentRefused for what no second try would change. */
  work(scope: TenantScope, document: WorkingDocument, progress: () => void): Promise<Done>;
}

export interface StepParts extends ExtractingParts {
  readonly results: ResultStore;
  readonly settings: PipelineSettings;
  readonly attachments: AttachmentStore;
  readonly vectoriser: Vectoriser;
}

const acquire = ({ cpu, objects, results, settings }: StepParts): Step => ({
  stage: ACQUIRE,
  from: 'DETECTADO',
  to: 'ADQUIRIDO',
  next: EXTRACT,
  atOnce: 1,
  work: async (scope, { rootPath: root, relativePath }) => {
    const file = { root, relativePath, most: settings.mostBytes };
    const { bytes, hash, size, mtime } = await cpu.run('takeFile', file, scope.urgent);
    const {
      value,
      objects: made,
      keep,
    } = await results.reuse(scope, { stage: ACQUIRE.name, key: hash, contentHash: hash }, async () => {
      const originalObject = newObjectKey(scope, 'original');
      await objects.put(scope, originalObject, bytes);
      return { originalObject };
    });
    return { patch: { contentHash: hash, size, mtime, ...value }, objects: made, keep };
  },
});

type Make<P extends DocumentPatch> = (
  scope: TenantScope,
  document: WorkingDocument,
  known: { readonly key: string; readonly progress: () => void },
) => Promise<P>;

/** A step whose result follows from the bytes and the settings alone. */
const remembered =
  <P extends DocumentPatch>({ results, settings }: StepParts, stage: Stage, key: keyof StepKeys, make: Make<P>) =>
  async (scope: TenantScope, document: WorkingDocument, progress: () => void): Promise<Done & { patch: P }> => {
    const contentHash = filled(document.contentHash);
    const { [key]: name } = stepKeys(settings, document.name, contentHash);
    const { value, objects, keep } = await results.reuse(scope, { stage: stage.name, key: name, contentHash }, () =>
      make(scope, document, { key: name, progress }),
    );
    return { patch: value, objects, keep };
  };

/** What files carry becomes documents before the file goes on: a worker that is killed in between does it again. */
const extract = (parts: StepParts): Step => {
  const work = remembered<Extracted>(parts, EXTRACT, 'extract', extracting(parts));
  return {
    stage: EXTRACT,
    from: 'ADQUIRIDO',
    to: 'EXTRAIDO',
    next: SUMMARISE,
    atOnce: parts.source.atOnce,
    work: async (scope, document, progress) => {
      const { patch, objects, keep } = await work(scope, document, progress);
      const { attachments, ...known } = patch;
      if (attachments.length > 0 || document.isCarrier) await parts.attachments.sync(scope, document, attachments);
      return { patch: known, objects, keep };
    },
  };
};

const summarising =
  ({ cpu, objects, settings }: StepParts): Make<DocumentPatch> =>
  async (scope, { textObject }) => {
    const text = await objects.get(scope, filled(textObject));
    const { languages } = settings.chunks;
    return { summary: await cpu.run('summarise', { text, most: SUMMARY_LENGTH, languages }, scope.urgent) };
  };

const chunking =
  ({ cpu, objects, settings }: StepParts): Make<DocumentPatch> =>
  async (scope, { textObject }) => {
    const text = await objects.get(scope, filled(textObject));
    const { chunks, count, digest } = await cpu.run('chunk', { text, options: settings.chunks }, scope.urgent);
    const chunksObject = newObjectKey(scope, 'chunks');
    await objects.put(scope, chunksObject, chunks);
    return { chunksObject, chunkCount: count, chunksDigest: digest };
  };

/** Vectors belong to the chunks that they were made of, and go with them. */
const chunkStep = (parts: StepParts): Step => {
  const work = remembered(parts, CHUNK, 'chunk', chunking(parts));
  return {
    stage: CHUNK,
    from: 'RESUMIDO',
    to: 'FRAGMENTADO',
    next: EMBED,
    atOnce: 1,
    work: async (scope, document, progress) => {
      const done = await work(scope, document, progress);
      const { chunksObject, chunksDigest = null } = done.patch;
      const areOthers = chunksObject !== document.chunksObject;
      return { ...done, patch: { ...done.patch, chunksDigest, ...(areOthers ? { vectorsObject: null } : {}) } };
    },
  };
};

/** Vectors for the space that is searched now. Where they cannot be had, words find the document meanwhile. */
const embed = ({ vectoriser }: StepParts): Step => ({
  stage: EMBED,
  from: 'FRAGMENTADO',
  to: 'FRAGMENTADO',
  next: HAND_OVER,
  atOnce: 3,
  work: (scope, document, progress) => vectoriser.searched(scope, document, progress),
});

/** The steps before the hand-over. */
export const pipelineSteps = (parts: StepParts) => ({
  acquire: acquire(parts),
  extract: extract(parts),
  summarise: {
    ...({ stage: SUMMARISE, from: 'EXTRAIDO', to: 'RESUMIDO', next: CHUNK, atOnce: 1 } as const),
    work: remembered(parts, SUMMARISE, 'summarise', summarising(parts)),
  },
  chunk: chunkStep(parts),
  embed: embed(parts),
});
export type PipelineSteps = ReturnType<typeof pipelineSteps>;
