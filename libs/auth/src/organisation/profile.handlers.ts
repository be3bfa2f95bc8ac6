import { Injectable } from '@nestjs/common';
import {
  getOrganization,
  getPrompts,
  InvalidContext,
  InvalidMeaning,
  type OrganizationPart,
  type OrganizationProfile,
  type OrganizationPrompts,
  type OrganizationRequest,
  type OrganizationUpdate,
  type OrganizationUpdated,
  type OrganizationView,
  type PromptsRequest,
  updateOrganization,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { entityOf, isInFocus, levelOf, type Scope, type WorkScope } from '@acervo/rbac';
import { OwnEntities } from '../focus/own-entities';
import { ProfileStore, type Texts } from './profile.store';
import { Reach } from './reach';

type Part = 'group' | 'entity';

const NAMES = { description: 'description', systemPrompt: 'system_prompt' } as const;

const named = (part: Part, texts: Texts, chosen: (text: string | undefined) => boolean): string[] =>
  (['description', 'systemPrompt'] as const)
    .filter((name) => chosen(texts[name]))
    .map((name) => `${part}.${NAMES[name]}`);

const missingOf = (group: OrganizationPart, entity: OrganizationPart | null): string[] => {
  const blank = (text = ''): boolean => text.trim() === '';
  return [...named('group', group, blank), ...(entity === null ? [] : named('entity', entity, blank))];
};

/** Administrators write system prompts. Agents of other users get them in their context, where a model reads them. */
const seesPrompts = ({ profile }: Scope): boolean => levelOf(profile) >= levelOf('ADMINISTRADOR');

const withoutPrompt = (part: OrganizationPart): OrganizationView => ({ ...part, systemPrompt: null });

const sent = (text: string | undefined): boolean => text !== undefined;
const isSent = ({ description, systemPrompt }: Texts): boolean => sent(description) || sent(systemPrompt);

/** The texts that describe the organisation for models and people. */
@Injectable()
export class ProfileHandlers {
  constructor(
    private readonly database: Database,
    private readonly profiles: ProfileStore,
    private readonly entities: OwnEntities,
  ) {}

  @Handles(getOrganization)
  async get(scope: Scope, request: OrganizationRequest): Promise<OrganizationProfile> {
    const code = await this.entity(scope, request, false);
    return this.database.read(scope, async (tx) => {
      const group = await this.profiles.group(tx);
      const entity = code === null ? null : await this.profiles.entity(tx, code);
      const missing = missingOf(group, entity);
      if (seesPrompts(scope)) return { group, entity, missing };
      return {
        group: withoutPrompt(group),
        entity: entity === null ? null : withoutPrompt(entity),
        missing: missing.filter((name) => !name.endsWith(NAMES.systemPrompt)),
      };
    });
  }

  @Handles(getPrompts)
  prompts(scope: WorkScope, { entityCode }: PromptsRequest): Promise<OrganizationPrompts> {
    return this.database.read(scope, async (tx) => ({
      group: await this.profiles.group(tx),
      entity: entityCode === undefined ? null : await this.profiles.entity(tx, entityCode),
    }));
  }

  /**
   * Writes the given texts. The texts of the group steer the work on every document of it. They take an administrator
   * whose credential is not fixed to a part. Those of an entity take a credential that reaches the whole of it.
   */
  @Handles(updateOrganization)
  async update(scope: Scope, input: OrganizationUpdate, context: WriteContext): Promise<OrganizationUpdated> {
    const ofGroup: Texts = { description: input.groupDescription, systemPrompt: input.groupSystemPrompt };
    const ofEntity: Texts = { description: input.entityDescription, systemPrompt: input.entitySystemPrompt };
    if (!isSent(ofGroup) && !isSent(ofEntity))
      throw new InvalidMeaning([
        'group_description',
        'group_system_prompt',
        'entity_description',
        'entity_system_prompt',
      ]);
    const code = await this.entity(scope, input, isSent(ofEntity));
    return context.write(async (tx) => {
      await this.assertReached(tx, scope, isSent(ofGroup), isSent(ofEntity) ? code : null);
      if (isSent(ofGroup)) await this.profiles.writeGroup(tx, ofGroup);
      if (code !== null && isSent(ofEntity)) await this.profiles.writeEntity(tx, code, ofEntity);
      const group = await this.profiles.group(tx);
      const entity = code === null ? null : await this.profiles.entity(tx, code);
      const applied = [...named('group', ofGroup, sent), ...named('entity', ofEntity, sent)];
      return { group, entity, missing: missingOf(group, entity), applied };
    });
  }

  /** The entity that is written. Where none is, the entity shown beside the group, which may be absent. */
  private async entity(scope: Scope, { entityCode }: OrganizationRequest, needed: boolean): Promise<string | null> {
    if (entityCode !== undefined && !isInFocus(scope, entityCode)) {
      await this.entities.areaIn(scope, entityCode);
      return entityCode;
    }
    try {
      return entityOf(scope, entityCode);
    } catch (error) {
      if (needed || !(error instanceof InvalidContext)) throw error;
      return null;
    }
  }

  private async assertReached(tx: Transaction, scope: Scope, group: boolean, entity: string | null): Promise<void> {
    const reach = await Reach.of(tx, scope);
    if (group) reach.assertWholeGroup();
    if (entity !== null) reach.assertWholeEntity(entity);
  }
}
