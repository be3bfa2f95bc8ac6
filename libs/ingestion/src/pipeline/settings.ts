import { createHash } from 'node:crypto';
import { type ChunkOptions, defaultChunkOptions } from '@acervo/analysis';
import { endingOf, isSupported } from '@acervo/extraction';
import type { EmbeddingModel } from '@acervo/models';

/** Rises when a step makes something else of the same input; whatever it made before is made anew at the next scan. */
const STEP_VERSIONS = { extract: 2, summarise: 1, chunk: 2, embed: 1 } as const;

/** Characters of a summary, at most. */
export const SUMMARY_LENGTH = 600;

/** Everything beside the bytes that decides what the steps make of them. */
export interface PipelineSettings {
  /** Name of the embedder and the space of its vectors. */
  readonly embedder: string;
  readonly space: EmbeddingModel;
  readonly chunks: ChunkOptions;
}

export const settingsFor = (embedder: string, space: EmbeddingModel): PipelineSettings => ({
  embedder,
  space,
  chunks: defaultChunkOptions,
});

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Under which key each step remembers its result: the same bytes, kind of file and settings give the same keys. */
export interface StepKeys {
  readonly extract: string;
  readonly summarise: string;
  readonly chunk: string;
  readonly embed: string;
}

export const stepKeys = ({ space, chunks }: PipelineSettings, name: string, contentHash: string): StepKeys => {
  const extract = digest([STEP_VERSIONS.extract, endingOf(name), contentHash]);
  const chunk = digest([STEP_VERSIONS.chunk, chunks.target, chunks.most, extract]);
  return {
    extract,
    summarise: digest([STEP_VERSIONS.summarise, SUMMARY_LENGTH, extract]),
    chunk,
    embed: digest([STEP_VERSIONS.embed, space.model, space.revision, space.dimension, chunk]),
  };
};

/** The settings that a file of this name is worked under, as one value to compare. */
export const settingsHash = (settings: PipelineSettings, name: string): string =>
  isSupported(name) ? digest(stepKeys(settings, name, '')) : digest(['unsupported', endingOf(name)]);
