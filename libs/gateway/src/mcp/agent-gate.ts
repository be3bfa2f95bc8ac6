import { type AgentTool, callAgentTool, getAgentContext, NotFound } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import type { Keyed } from '../idempotency-key';

type JsonObject = Readonly<Record<string, unknown>>;

/** The tools of one caller. All that the protocol offers passes here: its rights, limits, quotas and audit are those of agents. */
export class AgentGate {
  constructor(
    private readonly calls: Calls,
    private readonly scope: Scope,
  ) {}

  async tools(): Promise<readonly AgentTool[]> {
    const { tools } = await this.calls.send(getAgentContext, this.scope, {});
    return tools;
  }

  /** @throws NotFound for a tool that the caller lacks, and the errors of the call behind it */
  async call(publicName: string, toolArguments: JsonObject, key: Keyed = {}): Promise<JsonObject> {
    const request = { publicName, arguments: toolArguments };
    const { result } = await this.calls.send(callAgentTool, this.scope, request, key);
    return result;
  }

  /** The same, and null for a tool or an object that the caller does not see. */
  async find(publicName: string, toolArguments: JsonObject): Promise<JsonObject | null> {
    try {
      return await this.call(publicName, toolArguments);
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}
