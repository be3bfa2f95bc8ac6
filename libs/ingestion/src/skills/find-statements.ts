import { languageOf, type Languages } from '@acervo/analysis';
import { textOf } from '../classification/classify-job';
import { cpuJob } from '../cpu/cpu';
import { citedStatements, type StoredResult } from './citations';
import { productSkill } from './product-skills';

export interface SkillJob {
  readonly skillCode: string;
  /** The extracted text of the document, as it is stored. */
  readonly text: Uint8Array;
  readonly languages: Languages;
}

const LONGEST_MS = 45_000;

/** Runs a skill over an extracted text. */
export const FIND_STATEMENTS = cpuJob(
  'find-statements',
  ({ skillCode, text, languages }: SkillJob): StoredResult => {
    const extracted = textOf(text);
    const find = productSkill(skillCode)?.find;
    if (find === undefined) throw new Error('The skill is not one of this version of the product.');
    return citedStatements(extracted, find(extracted.text, languageOf(extracted.text, languages)));
  },
  { deadlineMs: LONGEST_MS },
);
