import type { PipelineSkillCode } from '@acervo/contracts';
import { type ModelFindings, NO_FINDINGS } from './classified';

/** The skill that chooses a type, and the one that finds features. */
export const CHOOSES: PipelineSkillCode = 'DOCUMENT-CLASSIFY';
export const FINDS: PipelineSkillCode = 'FEATURE-EXTRACT';

/** What both skills found in the present text of `ingestion.document d`, by skill; null where neither has a result. */
export const FOUND = `(select jsonb_object_agg(s.skill_code, s.result -> 'findings') from ingestion.document_skill s
  where s.group_id = d.group_id and s.document_id = d.document_id and s.skill_code in ('${CHOOSES}', '${FINDS}')
    and s.text_object = d.text_object)`;

export type FoundBySkill = Readonly<Record<string, ModelFindings | null>>;

/** The choice of one skill and the features of the other. */
export const findingsOf = (found: FoundBySkill | null): ModelFindings => ({
  choice: found?.[CHOOSES]?.choice ?? null,
  features: found?.[FINDS]?.features ?? NO_FINDINGS.features,
});
