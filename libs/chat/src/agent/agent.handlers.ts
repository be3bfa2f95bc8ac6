import { Injectable } from '@nestjs/common';
import {
  type AgentContext,
  type AgentContextRequest,
  type AgentIdentity,
  callAgentTool,
  DEFAULT_AGENT_PROFILE,
  getAgentContext,
  getPrompts,
  InvalidContext,
  MOST_TOOL_BYTES,
  type OrganizationPrompts,
  type ToolCallRequest,
  type ToolResult,
} from '@acervo/contracts';
import { Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import { entityOf, type Scope, WorkScope } from '@acervo/rbac';
import { agentPrompt } from './agent-prompt';
import { AgentTools } from './agent-tools';
import { AgentConfig } from './agent.config';
import { boundedResult } from './bounded-result';
import { ToolCatalogue } from './tool-catalogue';

const SCHEMA_VERSION = 1;

/** The entity whose prompt the caller gets: the one in focus, or the only one. */
const entityIn = (scope: Scope): { readonly entityCode?: string } => {
  try {
    return { entityCode: entityOf(scope) };
  } catch (error) {
    if (error instanceof InvalidContext) return {};
    throw error;
  }
};

const identityOf = ({
  userName: userAlias,
  groupCode: group,
  activeEntity: entity,
  activeArea,
  effectiveArea,
  authorizedAreaRoot,
  areaFocusIsExplicit,
  profile,
}: Scope): AgentIdentity => ({
  ...{ userAlias, group, entity, area: effectiveArea },
  ...{ activeArea, effectiveArea, authorizedAreaRoot, areaFocusIsExplicit, profile },
});

/** What an agent needs to act for a user, and the tools by which it acts. */
@Injectable()
export class AgentHandlers {
  constructor(
    private readonly calls: Calls,
    private readonly catalogue: ToolCatalogue,
    private readonly tools: AgentTools,
    private readonly config: AgentConfig,
  ) {}

  /** @throws ContextConflict under a focus outside the permission */
  @Handles(getAgentContext)
  async context(scope: Scope, { functionProfile = DEFAULT_AGENT_PROFILE }: AgentContextRequest): Promise<AgentContext> {
    const { maxIterations, maxRetrievalCalls, timeoutSeconds } = this.config;
    return {
      functionProfile,
      ...agentPrompt(functionProfile, await this.prompts(scope)),
      identity: identityOf(scope),
      tools: this.catalogue.list(scope, functionProfile).map(({ listed }) => listed),
      limits: { maxIterations, maxRetrievalCalls, timeoutSeconds },
      schemaVersion: SCHEMA_VERSION,
    };
  }

  @Handles(callAgentTool)
  async callTool(
    scope: Scope,
    { publicName, functionProfile = DEFAULT_AGENT_PROFILE, arguments: toolArguments }: ToolCallRequest,
    { idempotencyKey }: WriteContext,
  ): Promise<ToolResult> {
    const called = { publicName, functionProfile, arguments: toolArguments };
    const result = await this.tools.call(scope, called, idempotencyKey === undefined ? {} : { idempotencyKey });
    return { result: boundedResult(result, MOST_TOOL_BYTES) };
  }

  private prompts(scope: Scope): Promise<OrganizationPrompts> {
    const work = new WorkScope(scope.groupId, 'chat', getAgentContext.code);
    return this.calls.send(getPrompts, work, entityIn(scope));
  }
}
