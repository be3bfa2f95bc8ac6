import { Injectable } from '@nestjs/common';
import { type AcquisitionSkillCode, readParameters } from '@acervo/contracts';
import { DATA_RULE, organizationLayers, type PromptLayer } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { organizationPrompts } from '../kernel/organization-prompts';
import { type AcquisitionLanguage, acquisitionTexts } from './acquisition-skills';

const ofSkill = (code: AcquisitionSkillCode, language: AcquisitionLanguage) => {
  const { version, texts } = acquisitionTexts[code];
  return { kind: 'SKILL', code, version, text: texts[language] } as const satisfies PromptLayer;
};

/** A layer of these instructions. No function of a user takes part. */
interface AcquisitionLayer extends PromptLayer {
  readonly kind: 'PRODUCT' | 'GROUP' | 'ENTITY' | 'SKILL';
}

/** The instructions by which documents of an entity are acquired; those of the group once the entity is deleted. */
@Injectable()
export class AcquisitionPrompts {
  constructor(private readonly calls: Calls) {}

  async layers(groupId: string, entityCode: string, skill: AcquisitionSkillCode): Promise<readonly AcquisitionLayer[]> {
    const work = new WorkScope(groupId, 'ingestion', 'acquisition');
    return [
      DATA_RULE,
      ...organizationLayers(await organizationPrompts(this.calls, work, entityCode)),
      ofSkill(skill, await this.language(work)),
    ];
  }

  /** The language that the group prefers. */
  private async language(work: WorkScope): Promise<AcquisitionLanguage> {
    const { values } = await this.calls.send(readParameters, work, { parameterCodes: ['LANGUAGE'] });
    return values[0]?.value === 'en' ? 'en' : 'es';
  }
}
