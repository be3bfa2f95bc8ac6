import { call } from '../calls';
import { Empty } from '../empty';
import { Code, Int, ListOf } from '../fields';

/** The skills that callers run and a model reads for. */
const requestedSkillCodes = [
  'DOCUMENT-SUMMARY',
  'GLOSSARY',
  'KEY-DATES',
  'OBLIGATIONS',
  'PARTIES',
  'SPACE-DIGEST',
] as const;

/** The skills by which the product itself works on documents: no list names them, and no caller runs them. */
export const pipelineSkillCodes = ['DOCUMENT-CLASSIFY', 'FEATURE-EXTRACT'] as const;
export type PipelineSkillCode = (typeof pipelineSkillCodes)[number];

/** The skills whose prompt and model a group may replace. */
export const skillCodes = [...requestedSkillCodes, ...pipelineSkillCodes] as const;
export type SkillCode = (typeof skillCodes)[number];

/** The parameter with the prompt of one skill. */
export const promptParameter = (code: SkillCode): string => `SKILL_PROMPT_${code}`;

/** The parameter with the model of one skill. */
export const modelParameter = (code: SkillCode): string => `SKILL_MODEL_${code}`;

/** The skill whose prompt or model a parameter is; undefined for other parameters. */
export const skillOfParameter = (parameterCode: string): SkillCode | undefined =>
  skillCodes.find((code) => [promptParameter(code), modelParameter(code)].includes(parameterCode));

/** The documents that have a result of a skill by a chat model. */
export class SkillResultCount {
  @Code({ description: 'Skill' }) readonly skillCode!: string;
  @Int({ description: 'Documents' }) readonly documents!: number;
}

export class SkillResultCounts {
  @ListOf(() => SkillResultCount, { max: 100, description: 'Skills with results' })
  readonly skills!: readonly SkillResultCount[];
}

/**
 * How many documents of the group another prompt or model of each skill would have read again. Visibility is not
 * checked: the asking service decides for whom it asks.
 */
export const countSkillResults = call({
  owner: 'ingestion',
  effect: 'read',
  scope: 'user',
  callers: ['auth'],
  code: 'skills.count_results',
  input: Empty,
  output: SkillResultCounts,
});
