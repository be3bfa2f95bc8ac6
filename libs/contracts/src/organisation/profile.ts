import { call } from '../calls';
import { Code, Nested, Text, TextList } from '../fields';

/** The longest text of a profile. */
const LONGEST = 20_000;

export class OrganizationRequest {
  @Code({ names: 'entity', optional: true, description: 'Entity; the one in focus unless named' })
  readonly entityCode?: string;
}

/** The texts of a group or an entity. */
export class OrganizationPart {
  @Code({ description: 'Code' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: LONGEST, description: 'What it is and does; empty until it is written' })
  readonly description!: string;
  @Text({
    max: LONGEST,
    description: 'What models read first: agents get it in their context; empty until it is written',
  })
  readonly systemPrompt!: string;
}

/** The texts of a group or an entity, as a reader sees them. */
export class OrganizationView {
  @Code({ description: 'Code' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: LONGEST, description: 'What it is and does; empty until it is written' })
  readonly description!: string;
  @Text({
    max: LONGEST,
    nullable: true,
    description: 'What models read first; null for users who are no administrators, empty until it is written',
  })
  readonly systemPrompt!: string | null;
}

const MISSING = { max: 4, length: 40, description: 'Texts that are not written yet, such as group.description' };

export class OrganizationProfile {
  @Nested(() => OrganizationView, { description: 'The group' }) readonly group!: OrganizationView;
  @Nested(() => OrganizationView, { nullable: true, description: 'The entity; null where none is in focus or named' })
  readonly entity!: OrganizationView | null;
  @TextList(MISSING) readonly missing!: readonly string[];
}

/** Texts to write: absent texts stay, empty texts are cleared. */
export class OrganizationUpdate {
  @Text({ max: LONGEST, optional: true, description: 'What the group is and does' }) readonly groupDescription?: string;
  @Text({
    max: LONGEST,
    optional: true,
    description: 'What models read about the group: agents get it in their context',
  })
  readonly groupSystemPrompt?: string;
  @Text({ max: LONGEST, optional: true, description: 'What the entity is and does' })
  readonly entityDescription?: string;
  @Text({
    max: LONGEST,
    optional: true,
    description: 'What models read about the entity: agents get it in their context',
  })
  readonly entitySystemPrompt?: string;
  @Code({ names: 'entity', optional: true, description: 'Entity; the one in focus unless named' })
  readonly entityCode?: string;
}

export class OrganizationUpdated {
  @Nested(() => OrganizationPart, { description: 'The group' }) readonly group!: OrganizationPart;
  @Nested(() => OrganizationPart, { nullable: true, description: 'The entity; null where none is in focus or named' })
  readonly entity!: OrganizationPart | null;
  @TextList(MISSING) readonly missing!: readonly string[];
  @TextList({ max: 4, length: 40, description: 'Texts that were written, such as group.description' })
  readonly applied!: readonly string[];
}

const asked = { owner: 'auth', scope: 'user', callers: ['gateway'] } as const;

/** @throws NotFound for an entity that the caller does not have. */
export const getOrganization = call({
  ...asked,
  callers: ['gateway', 'chat', 'ingestion'],
  code: 'organization.get',
  effect: 'read',
  input: OrganizationRequest,
  output: OrganizationProfile,
});

/**
 * @throws InvalidMeaning for a request without texts; Forbidden for texts of a group or an entity that the credential
 * reaches only in part.
 */
export const updateOrganization = call({
  ...asked,
  code: 'organization.update',
  effect: 'write',
  input: OrganizationUpdate,
  output: OrganizationUpdated,
});

export class PromptsRequest {
  @Code({ names: 'entity', optional: true, description: 'Entity; the group alone without it' })
  readonly entityCode?: string;
}

/** The prompt of the group or of an entity. */
export class OrganizationPrompt {
  @Code({ description: 'Code' }) readonly code!: string;
  @Text({ max: 200, description: 'Name' }) readonly name!: string;
  @Text({ max: LONGEST, description: 'What models read first; empty until it is written' })
  readonly systemPrompt!: string;
}

export class OrganizationPrompts {
  @Nested(() => OrganizationPrompt, { description: 'The group' }) readonly group!: OrganizationPrompt;
  @Nested(() => OrganizationPrompt, { nullable: true, description: 'The entity; null where none is named' })
  readonly entity!: OrganizationPrompt | null;
}

/**
 * The prompts that a service hands to models, without a check of visibility: the asking service decides for whom it
 * asks.
 * @throws NotFound for an entity that the group does not have
 */
export const getPrompts = call({
  code: 'organization.get_prompts',
  owner: 'auth',
  scope: 'work',
  effect: 'read',
  callers: ['chat', 'ingestion'],
  input: PromptsRequest,
  output: OrganizationPrompts,
});
