import { Injectable } from '@nestjs/common';
import { Conflict, getPrompts, NotFound, type OrganizationPrompts, readParameters } from '@acervo/contracts';
import {
  ChatModel,
  type ComposedPrompt,
  composePrompt,
  DATA_RULE,
  isOnThisMachine,
  organizationLayers,
} from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { ChatConfig } from '@acervo/platform-service';
import { WorkScope } from '@acervo/rbac';
import type { ProductSkill } from '../product-skills';
import { SKILL_PROMPTS, skillLayer, STATEMENTS_LAYER } from './skill-prompts';

/** A model with everything that it is told about a skill. */
export interface SkillModel {
  readonly model: string;
  readonly prompt: ComposedPrompt;
}

/** Why a group has no model: the installation names none, or the text of the group may not leave the machine. */
export type WhyNoModel = 'ModelNotConfigured' | 'ModelNotPermitted';

const WHY: Readonly<Record<WhyNoModel, string>> = {
  ModelNotConfigured:
    'The skill needs a chat model, and none is configured; the operator names one by ACERVO_CHAT_URL and ACERVO_CHAT_MODEL.',
  ModelNotPermitted:
    'The skill needs a chat model, and the group does not permit it; an administrator permits it by the parameter CHAT_MODEL_ALLOWED.',
};

const CODES = ['CHAT_MODEL_ALLOWED', 'CHAT_MODEL'] as const;

/** Chooses the model that runs a skill, and composes its prompt. */
@Injectable()
export class SkillModels {
  private readonly isLocal: boolean;

  constructor(
    private readonly model: ChatModel,
    private readonly calls: Calls,
    config: ChatConfig,
  ) {
    this.isLocal = isOnThisMachine(config.chatUrl);
  }

  /** @throws Conflict where the skill needs a model that the group does not have */
  async assertAvailable(groupId: string, skill: ProductSkill): Promise<void> {
    if (!skill.requiresModel) return;
    const chosen = await this.chosen(groupId);
    if (chosen === 'ModelNotConfigured' || chosen === 'ModelNotPermitted') throw new Conflict(WHY[chosen]);
  }

  /** The model and the prompt of a skill over a document of an entity; why not, where the group has no model. */
  async of(groupId: string, skill: ProductSkill, entityCode: string): Promise<SkillModel | { why: WhyNoModel }> {
    const chosen = await this.chosen(groupId);
    if (typeof chosen === 'string') return { why: chosen };
    const { code, promptVersion } = skill;
    const layer = skillLayer(code, promptVersion, SKILL_PROMPTS[code]);
    const organization = organizationLayers(await this.prompts(groupId, entityCode));
    return { model: chosen.model, prompt: composePrompt([STATEMENTS_LAYER, DATA_RULE, ...organization, layer]) };
  }

  private async chosen(groupId: string): Promise<{ readonly model: string } | WhyNoModel> {
    const { models } = this.model;
    const [byDefault] = models;
    if (byDefault === undefined) return 'ModelNotConfigured';
    const scope = new WorkScope(groupId, 'ingestion', 'skill');
    const { values } = await this.calls.send(readParameters, scope, { parameterCodes: [...CODES] });
    const found = new Map(values.map(({ parameterCode, value }) => [parameterCode, value]));
    if (!this.isLocal && found.get('CHAT_MODEL_ALLOWED') !== 'true') return 'ModelNotPermitted';
    const named = found.get('CHAT_MODEL');
    return { model: models.find((name) => name === named) ?? byDefault };
  }

  /** The prompts of the group and the entity; of the group alone once the entity is deleted. */
  private async prompts(groupId: string, entityCode: string): Promise<OrganizationPrompts> {
    const scope = new WorkScope(groupId, 'ingestion', 'skill');
    try {
      return await this.calls.send(getPrompts, scope, { entityCode });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return this.calls.send(getPrompts, scope, {});
    }
  }
}
