import { createHash } from 'node:crypto';
import { type ChunkOptions, defaultChunkOptions, defaultLanguages, type Languages } from '@acervo/analysis';
import { endingOf, type TextSource } from '@acervo/extraction';
import type { EmbeddingModel } from '@acervo/models';

/** Rises when a step makes something else of the same input; whatever it made before is made anew at the next scan. */
const STEP_VERSIONS = { extract: 3, summarise: 1, chunk: 2, embed: 1 } as const;

/** Vectors that another version made may stand for other texts. */
export const EMBED_VERSION = STEP_VERSIONS.embed;

/** Characters of a summary, at most. */
export const SUMMARY_LENGTH = 600;

/**
 * Everything beside the bytes that decides what the steps make of them. The embedder is no part of it: another one
 * gives the same chunks other vectors, and is no reason to begin anew.
 */
export interface PipelineSettings {
  readonly chunks: ChunkOptions;
  /** Largest file that is taken in, in bytes. */
  readonly mostBytes: number;
  /** Files inside files inside files: what lies deeper is named and not read. */
  readonly mostDepth: number;
  /** Which files are read, and by whom, in which version, with which limits and aids. */
  readonly reading: Pick<TextSource, 'signature' | 'whyNot'>;
}

export const settingsFor = ({
  languages,
  ...given
}: Omit<PipelineSettings, 'chunks'> & { readonly languages: Languages }): PipelineSettings => ({
  ...given,
  chunks: { ...defaultChunkOptions, languages },
});

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Under which key each step remembers its result: the same bytes, kind of file and settings give the same keys. */
export interface StepKeys {
  readonly extract: string;
  readonly summarise: string;
  readonly chunk: string;
}

export const stepKeys = ({ chunks, reading }: PipelineSettings, name: string, contentHash: string): StepKeys => {
  const extract = digest([STEP_VERSIONS.extract, endingOf(name), reading.signature(name), contentHash]);
  // The usual languages are not named, so that what was cut before they could be chosen counts as cut with them.
  const chosen = chunks.languages.join() === defaultLanguages.join() ? [] : [chunks.languages];
  const chunk = digest([STEP_VERSIONS.chunk, chunks.target, chunks.most, ...chosen, extract]);
  return {
    extract,
    summarise: digest([STEP_VERSIONS.summarise, SUMMARY_LENGTH, extract]),
    chunk,
  };
};

/** Under which key the vectors of such chunks in a space are remembered. */
export const vectorsKey = ({ chunk }: StepKeys, { model, revision, dimension }: EmbeddingModel): string =>
  digest([STEP_VERSIONS.embed, model, revision, dimension, chunk]);

/** The settings that a file of this name is worked under, as one value to compare. */
export const settingsHash = (settings: PipelineSettings, name: string): string =>
  settings.reading.whyNot(name) === null
    ? digest(stepKeys(settings, name, ''))
    : digest(['unsupported', endingOf(name)]);
