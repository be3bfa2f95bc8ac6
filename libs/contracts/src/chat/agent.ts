import { profile, type Profile } from '@acervo/public-mapping';
import { call } from '../calls';
import { Choice, Code, Flag, Int, ListOf, Nested, OneOf, OpenObject, Text } from '../fields';

/** What an agent is for: it answers from documents, or helps with the service itself. */
export const agentProfiles = ['user_chat', 'support_chat'] as const;
export type AgentProfile = (typeof agentProfiles)[number];

/** The profile of a request that names none. */
export const DEFAULT_AGENT_PROFILE: AgentProfile = 'user_chat';

/** Most bytes of the JSON that a tool answers. */
export const MOST_TOOL_BYTES = 64_000;

const SHA256 = { min: 64, max: 64 } as const;

export class AgentContextRequest {
  @Choice(agentProfiles, {
    publicly: 'same',
    optional: true,
    description: 'Profile of the agent; user_chat without it',
  })
  readonly functionProfile?: AgentProfile;
}

/** A part of the system prompt. Its text is a part of the prompt, in the order of the list. */
export class AgentLayer {
  @Code({ description: 'Whose part it is: PRODUCT, GROUP or ENTITY' }) readonly code!: string;
  @Text({ max: 200, description: 'Profile and version of the product, or name of the group or the entity' })
  readonly name!: string;
  @Text({ ...SHA256, description: 'SHA-256 of its text in UTF-8, as hexadecimal digits' }) readonly sha256!: string;
}

/** Whom an agent acts for. Roles are not part of it. */
export class AgentIdentity {
  @Text({ max: 200, description: 'Name of the user' }) readonly userAlias!: string;
  @Code({ description: 'Group of the user' }) readonly group!: string;
  @Code({ nullable: true, description: 'Entity in focus' }) readonly entity!: string | null;
  @Code({ nullable: true, description: 'Area that applies' }) readonly area!: string | null;
  @Code({ nullable: true, description: 'Area focus that is stored' }) readonly activeArea!: string | null;
  @Code({ nullable: true, description: 'Area that applies' }) readonly effectiveArea!: string | null;
  @Code({ nullable: true, description: 'Root of the authorised area' }) readonly authorizedAreaRoot!: string | null;
  @Flag({ description: 'The area focus was set on purpose' }) readonly areaFocusIsExplicit!: boolean;
  @OneOf(profile, { description: 'Access level' }) readonly profile!: Profile;
}

/** A tool that the agent may call. What it does is checked again at each call. */
export class AgentTool {
  @Code({ description: 'Call or operation that it stands for' }) readonly operation!: string;
  @Text({ min: 1, max: 64, description: 'Stable name' }) readonly publicName!: string;
  @OpenObject({ description: 'JSON schema of its arguments' })
  readonly inputSchema!: Readonly<Record<string, unknown>>;
  @Flag({ description: 'It changes nothing' }) readonly readOnly!: boolean;
}

/** What an agent should not exceed while it works on one question. */
export class AgentLimits {
  @Int({ min: 1, description: 'Most rounds of the model' }) readonly maxIterations!: number;
  @Int({ min: 1, description: 'Most retrievals' }) readonly maxRetrievalCalls!: number;
  @Int({ min: 1, description: 'Most seconds' }) readonly timeoutSeconds!: number;
}

/** What an agent needs to act for the caller: instructions, identity and tools. */
export class AgentContext {
  @Choice(agentProfiles, { publicly: 'same', description: 'Profile of the agent' })
  readonly functionProfile!: AgentProfile;
  @Text({ max: 200_000, description: 'Instructions for the model' }) readonly systemPrompt!: string;
  @Text({
    ...SHA256,
    description: 'SHA-256 of [[code, sha256], …] of the layers in their order, as JSON without spaces in UTF-8',
  })
  readonly systemPromptHash!: string;
  @ListOf(() => AgentLayer, { max: 20, description: 'Parts of the instructions, in their order' })
  readonly layers!: readonly AgentLayer[];
  @Nested(() => AgentIdentity, { description: 'Whom the agent acts for' }) readonly identity!: AgentIdentity;
  @ListOf(() => AgentTool, { max: 500, description: 'Tools that identity and profile allow, by name' })
  readonly tools!: readonly AgentTool[];
  @Nested(() => AgentLimits, { description: 'What the agent should not exceed' }) readonly limits!: AgentLimits;
  @Int({ min: 1, description: 'Rises with each incompatible change of this record' }) readonly schemaVersion!: number;
}

export class ToolArguments {
  @OpenObject({ description: 'Arguments as the schema of the tool has them' })
  readonly arguments!: Readonly<Record<string, unknown>>;
  @Choice(agentProfiles, {
    publicly: 'same',
    optional: true,
    description: 'Profile of the agent; user_chat without it',
  })
  readonly functionProfile?: AgentProfile;
}

export class ToolReference {
  @Text({ min: 1, max: 64, description: 'Name of a tool of the context' }) readonly publicName!: string;
}

export class ToolCallRequest extends ToolArguments {
  @Text({ min: 1, max: 64, description: 'Name of a tool of the context' }) readonly publicName!: string;
}

/** What a tool answers: valid JSON of at most 64 kB. Lists are shortened; `truncated` and `omitted` then say so. */
export class ToolResult {
  @OpenObject({ description: 'Result as the operation has it' })
  readonly result!: Readonly<Record<string, unknown>>;
}

const asked = { owner: 'chat', scope: 'user', callers: ['gateway'] } as const;

export const getAgentContext = call({
  ...asked,
  code: 'agent.get_context',
  effect: 'read',
  input: AgentContextRequest,
  output: AgentContext,
});

/**
 * Sends the call behind a tool on behalf of the caller: its rights, its validation, its audit record.
 * @throws NotFound for a tool that the context of the caller does not list; Forbidden where a key confirms and the group
 * does not let keys confirm
 */
export const callAgentTool = call({
  ...asked,
  code: 'agent.call_tool',
  effect: 'forward',
  deadlineMs: 60_000,
  input: ToolCallRequest,
  output: ToolResult,
});
