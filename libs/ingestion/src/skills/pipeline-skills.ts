import type { PipelineSkillCode } from '@acervo/contracts';
import type { PromptedSkill } from './model/skill-models';

/** A skill by which the product itself works on documents. No list names it, and no caller runs it. */
export interface PipelineSkill extends PromptedSkill {
  readonly code: PipelineSkillCode;
  /** Rises when it finds something else in the same text. */
  readonly version: string;
}

const ofPipeline = { version: '1', promptVersion: '1', kind: 'none' } as const;

/** By code. The prompts stand in model/skill-prompts.ts. */
const PIPELINE_SKILLS: Readonly<Record<PipelineSkillCode, PipelineSkill>> = {
  /** Chooses the type of a document among those that rules and similarity leave. */
  'DOCUMENT-CLASSIFY': { ...ofPipeline, code: 'DOCUMENT-CLASSIFY' },
  /** Finds features that have a prompt and that no rule finds. */
  'FEATURE-EXTRACT': { ...ofPipeline, code: 'FEATURE-EXTRACT' },
};

/** The skill of a code; undefined for one that is not of the pipeline. */
export const pipelineSkill = (code: string): PipelineSkill | undefined =>
  Object.values(PIPELINE_SKILLS).find((skill) => skill.code === code);
