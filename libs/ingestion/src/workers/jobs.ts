import { CLASSIFY_DOCUMENTS } from '../classification/classify-job';
import type { CpuJob } from '../cpu/cpu';
import { EMBED_PASSAGES, EMBED_TEXTS, PLAN_VECTORS } from '../embedding/vector-jobs';
import { CHECK_FINDINGS } from '../model-classification/check-findings';
import { FIND_STATEMENTS } from '../skills/find-statements';
import { CHOOSE_STATEMENTS, LIST_STATEMENTS } from '../skills/spaces/digest-answers';
import { REDUCE_STATEMENTS } from '../skills/spaces/reduce-statements';
import { CITE_ANSWERS } from '../skills/model/cite-answers';
import { SLICE_TEXT } from '../skills/model/slice-text';
import { CHUNK_TEXT, HASH, RECORD_TEXT, SUMMARISE_TEXT } from '../pipeline/text-jobs';

/** Every job that a thread runs. */
export const jobs: readonly CpuJob<never, unknown>[] = [
  RECORD_TEXT,
  HASH,
  SUMMARISE_TEXT,
  CHUNK_TEXT,
  PLAN_VECTORS,
  EMBED_PASSAGES,
  EMBED_TEXTS,
  CLASSIFY_DOCUMENTS,
  FIND_STATEMENTS,
  REDUCE_STATEMENTS,
  LIST_STATEMENTS,
  CHOOSE_STATEMENTS,
  SLICE_TEXT,
  CITE_ANSWERS,
  CHECK_FINDINGS,
];
