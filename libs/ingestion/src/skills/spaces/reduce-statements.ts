import type { Languages } from '@acervo/analysis';
import { cpuJob } from '../../cpu/cpu';
import { type Digest, digestOf, type DigestSource } from './digest';

export interface ReduceJob {
  /** By code of their document. */
  readonly sources: readonly DigestSource[];
  readonly languages: Languages;
}

const LONGEST_MS = 45_000;

/** Makes one result of what a skill found in the documents of a space. */
export const REDUCE_STATEMENTS = cpuJob(
  'reduce-statements',
  ({ sources, languages }: ReduceJob): Digest => digestOf(sources, languages),
  { deadlineMs: LONGEST_MS },
);
