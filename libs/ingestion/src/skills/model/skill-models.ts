import { Injectable } from '@nestjs/common';
import {
  Conflict,
  Forbidden,
  modelParameter,
  NotFound,
  type ParameterValue,
  promptParameter,
  readParameters,
  Unavailable,
} from '@acervo/contracts';
import {
  ChatModel,
  type ComposedPrompt,
  composePrompt,
  DATA_RULE,
  isOnThisMachine,
  organizationLayers,
  permittedModel,
  type PromptLayer,
  type RequestPurpose,
} from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { ChatConfig } from '@acervo/platform-service';
import { WorkScope } from '@acervo/rbac';
import { organizationPrompts } from '../../kernel/organization-prompts';
import type { ProductSkill } from '../product-skills';
import type { ValueKind } from './cite-answers';
import { AWAITS_PARAMETERS, type Unmade } from './model-failures';
import { SKILL_PROMPTS, skillLayer, STATEMENTS_LAYER } from './skill-prompts';

/** A model with its prompt for a skill. */
export interface SkillModel {
  readonly model: string;
  readonly prompt: ComposedPrompt;
  readonly purpose: RequestPurpose;
  /** What `value` of a statement is. */
  readonly kind: ValueKind;
}

/** A skill as its prompt and its model are chosen. */
export type PromptedSkill = Pick<ProductSkill, 'code' | 'kind' | 'promptVersion'>;

/** What the prompt of a skill has beside its task: the form of the answer, and what the group describes. */
export interface SkillTask {
  readonly form: PromptLayer;
  readonly described?: PromptLayer;
}

/** Why a group has no model: the installation names none, or the text of the group may not leave the machine. */
export type WhyNoModel = 'ModelNotConfigured' | 'ModelNotPermitted';

const WHY: Readonly<Record<WhyNoModel, string>> = {
  ModelNotConfigured:
    'The skill needs a chat model, and none is configured; the operator names one by ACERVO_CHAT_URL and ACERVO_CHAT_MODEL.',
  ModelNotPermitted:
    'The skill needs a chat model, and the group does not permit it; an administrator permits it by the parameter CHAT_MODEL_ALLOWED.',
};

/** The prompt and the model of a skill, as those see them who may replace them. */
export interface SkillInstruction {
  readonly prompt: string;
  readonly model: string | null;
}

type Parameters = ReadonlyMap<string, ParameterValue>;

interface Chosen {
  readonly model: string;
}

/** There is no model. */
export interface Refused {
  readonly why: WhyNoModel;
}

/** Whether another service does not say what a run asks: it is away, or of a release that does not answer this one. */
export const isUnsaid = (error: unknown): boolean =>
  error instanceof Unavailable || error instanceof Forbidden || error instanceof NotFound;

const isWhy = (chosen: Chosen | Refused): chosen is Refused => 'why' in chosen;

/** The task of a skill: that of the group, whose version is the time at which it was set, or that of the product. */
const layerOf = ({ code, promptVersion }: PromptedSkill, parameters: Parameters): PromptLayer => {
  const { value = null, setAt } = parameters.get(promptParameter(code)) ?? {};
  return value === null
    ? skillLayer(code, promptVersion, SKILL_PROMPTS[code])
    : skillLayer(code, setAt ?? 'group', value);
};

const CODES = ['CHAT_MODEL_ALLOWED', 'CHAT_MODEL'] as const;

const scopeOf = (groupId: string): WorkScope => new WorkScope(groupId, 'ingestion', 'skill');

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
    const chosen = await this.chosenOf(groupId, skill);
    if (isWhy(chosen)) throw new Conflict(WHY[chosen.why]);
  }

  /** The model of a group for work that is no skill with parameters; null where the group has none. */
  async modelOf(groupId: string): Promise<string | null> {
    if (!this.model.isConfigured) return null;
    const chosen = this.chosen(await this.parameters(groupId, []));
    return isWhy(chosen) ? null : chosen.model;
  }

  /** The model and the prompt of a run, as `of`; what the run waits for while auth does not say what the group has. */
  async ofRun(
    groupId: string,
    skill: PromptedSkill,
    entityCode: string | null,
    task?: SkillTask,
  ): Promise<SkillModel | Refused | Unmade> {
    try {
      return await this.of(groupId, skill, entityCode, task);
    } catch (error) {
      if (isUnsaid(error)) return AWAITS_PARAMETERS;
      throw error;
    }
  }

  /**
   * The model and the prompt of a skill over documents of an entity, or of several ones; why not, where the group has no
   * model.
   */
  private async of(
    groupId: string,
    skill: PromptedSkill,
    entityCode: string | null,
    task: SkillTask = { form: STATEMENTS_LAYER },
  ): Promise<SkillModel | Refused> {
    const chosen = await this.chosenOf(groupId, skill);
    if (isWhy(chosen)) return chosen;
    const { parameters } = chosen;
    const organization = organizationLayers(await organizationPrompts(this.calls, scopeOf(groupId), entityCode));
    const { form, described } = task;
    const layers = [form, DATA_RULE, ...organization, layerOf(skill, parameters), ...(described ? [described] : [])];
    const prompt = composePrompt(layers);
    const purpose = { code: skill.code, entityCode, layers: prompt.layers };
    return { model: chosen.model, prompt, purpose, kind: skill.kind };
  }

  /** The task of each skill as the group or the product has it, and its model; by the code of the skill. */
  async instructions(groupId: string, skills: readonly ProductSkill[]): Promise<ReadonlyMap<string, SkillInstruction>> {
    const parameters = await this.parameters(groupId, skills);
    return new Map(
      skills.map((skill) => {
        const chosen = this.chosen(parameters, skill);
        const model = isWhy(chosen) ? null : chosen.model;
        return [skill.code, { prompt: layerOf(skill, parameters).text, model }];
      }),
    );
  }

  /** The model of a skill, with the parameters that chose it. Without a model of the installation nothing is asked. */
  private async chosenOf(
    groupId: string,
    skill: PromptedSkill,
  ): Promise<(Chosen & { parameters: Parameters }) | Refused> {
    if (!this.model.isConfigured) return { why: 'ModelNotConfigured' };
    const parameters = await this.parameters(groupId, [skill]);
    const chosen = this.chosen(parameters, skill);
    return isWhy(chosen) ? chosen : { ...chosen, parameters };
  }

  /** Parameters that the group has, by code. */
  private async parameters(groupId: string, skills: readonly PromptedSkill[]): Promise<Parameters> {
    const ofSkills = skills.flatMap(({ code }) => [promptParameter(code), modelParameter(code)]);
    const { values } = await this.calls.send(readParameters, scopeOf(groupId), {
      parameterCodes: [...CODES, ...ofSkills],
    });
    return new Map(values.map((each) => [each.parameterCode, each]));
  }

  private chosen(parameters: Parameters, skill?: PromptedSkill): Chosen | Refused {
    const { models } = this.model;
    if (models.length === 0) return { why: 'ModelNotConfigured' };
    const valueOf = (parameter: string): string | null => parameters.get(parameter)?.value ?? null;
    const isAllowed = valueOf('CHAT_MODEL_ALLOWED') === 'true';
    const ofSkill = skill === undefined ? null : valueOf(modelParameter(skill.code));
    const named = ofSkill ?? valueOf('CHAT_MODEL');
    const model = permittedModel({ models, isLocal: this.isLocal, isAllowed, named });
    return model === null ? { why: 'ModelNotPermitted' } : { model };
  }
}
