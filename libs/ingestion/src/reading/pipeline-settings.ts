import { createHash } from 'node:crypto';
import {
  type ChunkOptions,
  defaultChunkOptions,
  defaultLanguages,
  type Languages,
  SUMMARY_LENGTH,
} from '@acervo/analysis';
import { endingOf, type TextSource } from '@acervo/extraction';
import type { EmbeddingModel } from '@acervo/models';

/** A version rises when its step makes another output of the same input; the next scan then makes all outputs again. */
const STEP_VERSIONS = { extract: 4, summarise: 4, chunk: 4, embed: 1 } as const;

/** Vectors of another version may belong to other texts. */
export const EMBED_VERSION = STEP_VERSIONS.embed;

/**
 * Everything beside the bytes that determines the output of the steps. The embedder is excluded: another one gives the
 * same chunks other vectors, and does not restart documents.
 */
export abstract class PipelineSettings {
  abstract readonly chunks: ChunkOptions;
  /** Largest file that is ingested, in bytes. */
  abstract readonly mostBytes: number;
  /** Deepest nesting of attachments; deeper ones are named and not read. */
  abstract readonly mostDepth: number;
  /** Which files are read, by which source and version, with which limits and tools. */
  abstract readonly reading: Pick<TextSource, 'signature' | 'whyNot'>;
}

export const settingsFor = ({
  languages,
  ...given
}: Omit<PipelineSettings, 'chunks'> & { readonly languages: Languages }): PipelineSettings => ({
  ...given,
  chunks: { ...defaultChunkOptions, languages },
});

/** The SHA-256 of values, as hexadecimal digits: the key of a result that is made of them. */
export const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The key under which each step remembers its result: equal bytes, kinds of file and settings give equal keys. */
export interface StepKeys {
  readonly extract: string;
  readonly summarise: string;
  readonly chunk: string;
}

export const stepKeys = ({ chunks, reading }: PipelineSettings, name: string, contentHash: string): StepKeys => {
  const extract = digest([STEP_VERSIONS.extract, endingOf(name), reading.signature(name), contentHash]);
  // The default languages are left out, so chunks from before the setting existed keep their key.
  const chosen = chunks.languages.join() === defaultLanguages.join() ? [] : [chunks.languages];
  const chunk = digest([STEP_VERSIONS.chunk, chunks.target, chunks.most, ...chosen, extract]);
  return {
    extract,
    summarise: digest([STEP_VERSIONS.summarise, SUMMARY_LENGTH, extract]),
    chunk,
  };
};

/** The key under which the vectors of such chunks in an embedding index are remembered. */
export const vectorsKey = ({ chunk }: StepKeys, { model, revision, dimension }: EmbeddingModel): string =>
  digest([STEP_VERSIONS.embed, model, revision, dimension, chunk]);

/** The settings that apply to a file of this name, as one value to compare. */
export const settingsHash = (settings: PipelineSettings, name: string): string =>
  settings.reading.whyNot(name) === null
    ? digest(stepKeys(settings, name, ''))
    : digest(['unsupported', endingOf(name)]);
