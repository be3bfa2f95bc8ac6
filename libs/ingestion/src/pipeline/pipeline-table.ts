import type { Type } from '@nestjs/common';
import type { Stage } from '@acervo/platform-queue';
import type { DocumentStatus, PipelineProcess } from '@acervo/public-mapping';
import { PipelineOrder } from './pipeline-order';
import type { StepKeys } from '../reading/pipeline-settings';
import { ACQUIRE, CHUNK, CLASSIFY, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from '../kernel/stages';
import { AcquireStep } from './steps/acquire.step';
import { ChunkStep } from './steps/chunk.step';
import { ClassifyStep } from './steps/classify.step';
import { EmbedStep } from './steps/embed.step';
import { ExtractStep } from './steps/extract.step';
import type { Step } from './steps/step';
import { SummariseStep } from './steps/summarise.step';
import type { DocumentPatch } from '../document-state/working-document.store';

/** One stage of a document on its way to the indexes. */
export interface PipelineRow {
  /** Batch, lease, tries and capacity of its tasks. */
  readonly stage: Stage;
  /** The state of the document before and after it; equal where the stage has no state of its own. */
  readonly from: DocumentStatus;
  readonly to: DocumentStatus;
  /** The columns that it fills: a return to an earlier state empties them. */
  readonly columns: readonly (keyof DocumentPatch)[];
  /** Columns that it writes and that stay as they are until it writes them again. */
  readonly keptColumns?: readonly (keyof DocumentPatch)[];
  /** The key of its remembered result; null where it remembers none. */
  readonly resultKey: keyof StepKeys | null;
  /** Whether it may follow another step within one lease; the step decides where that depends on the document. */
  readonly isCheap: boolean | 'by-document';
  /** The kind of work that the queue shows. */
  readonly publicProcess: PipelineProcess;
  /** What works it; null for the hand-over, which is committed with the outcome of the steps. */
  readonly step: Type<Step> | null;
  /** Before it begins, the pages of the document are taken from the corpus that the plan includes. */
  readonly takesPages?: true;
  /** Programs of the last release do not know it: their tasks for the next stage begin here. */
  readonly isNew?: true;
  /** No task of this release names it: it ends what programs of an earlier release left. */
  readonly isRetired?: true;
}

/**
 * The way of a document to the indexes. What follows a stage, what a return empties and repeats, which results are
 * remembered, which states are on the way and what the queue shows derives from this table.
 */
export const PIPELINE: readonly PipelineRow[] = [
  {
    stage: ACQUIRE,
    from: 'DETECTADO',
    to: 'ADQUIRIDO',
    columns: ['contentHash', 'originalObject'],
    keptColumns: ['size', 'mtime'],
    resultKey: null,
    isCheap: false,
    publicProcess: 'acquire',
    step: AcquireStep,
  },
  {
    stage: EXTRACT,
    from: 'ADQUIRIDO',
    to: 'EXTRAIDO',
    columns: ['textObject', 'title', 'language', 'pages', 'extractionReport'],
    keptColumns: ['author', 'statedAt'],
    resultKey: 'extract',
    isCheap: 'by-document',
    publicProcess: 'extract',
    step: ExtractStep,
  },
  {
    stage: CLASSIFY,
    from: 'EXTRAIDO',
    to: 'CLASIFICADO',
    columns: [],
    resultKey: null,
    isCheap: true,
    publicProcess: 'classify',
    step: ClassifyStep,
    isNew: true,
  },
  {
    stage: SUMMARISE,
    from: 'CLASIFICADO',
    to: 'RESUMIDO',
    columns: ['summary'],
    resultKey: 'summarise',
    isCheap: true,
    publicProcess: 'summarise',
    step: SummariseStep,
  },
  {
    stage: CHUNK,
    from: 'RESUMIDO',
    to: 'FRAGMENTADO',
    columns: ['chunksObject', 'chunkCount', 'chunksDigest'],
    // Vectors of other chunks are worthless.
    keptColumns: ['vectorsObject'],
    resultKey: 'chunk',
    isCheap: true,
    publicProcess: 'chunk',
    step: ChunkStep,
    takesPages: true,
  },
  {
    // Vectors follow the hand-over now.
    stage: EMBED,
    from: 'FRAGMENTADO',
    to: 'FRAGMENTADO',
    columns: ['vectorsObject', 'embedding'],
    keptColumns: ['vectorsVersion'],
    resultKey: null,
    isCheap: true,
    publicProcess: 'embed',
    step: EmbedStep,
    isRetired: true,
  },
  {
    stage: HAND_OVER,
    from: 'FRAGMENTADO',
    to: 'FRAGMENTADO',
    columns: [],
    resultKey: null,
    isCheap: true,
    publicProcess: 'hand-over',
    step: null,
  },
];

export const pipelineOrder = new PipelineOrder(PIPELINE);
