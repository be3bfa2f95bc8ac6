import { Injectable } from '@nestjs/common';
import {
  decode,
  encode,
  executeOperation,
  ExecutionOutcome,
  type Operation,
  publicError,
  readParameters,
} from '@acervo/contracts';
import { Calls, type SendOptions } from '@acervo/platform-calls';
import { type Scope, WorkScope } from '@acervo/rbac';
import { ConfirmationWithheld } from './agent.errors';
import { type ToolConfirmation, confirmedInput } from './confirmation';
import type { FixedTool } from './fixed-tools';
import type { Tool } from './tool-catalogue';

type JsonObject = Readonly<Record<string, unknown>>;

const CONFIRMS = 'AGENT_CONFIRMS';

/** Calls tools on behalf of a user: the owner of each call checks rights and input, and records what it writes. */
@Injectable()
export class ToolCalls {
  constructor(private readonly calls: Calls) {}

  /** The result of a tool in public names. @throws the errors of its call */
  async call(scope: Scope, tool: Tool, toolArguments: JsonObject, options: SendOptions): Promise<JsonObject> {
    if (tool.kind === 'call') return this.send(scope, tool.fixed, toolArguments, options);
    const { operation } = tool;
    if (operation.kind === 'write_confirm') return this.confirmOrPreview(scope, operation, toolArguments, options);
    const request = { code: operation.code, input: toolArguments, confirm: false };
    const { result } = await this.calls.send(executeOperation, scope, request, options);
    return result ?? {};
  }

  private async send(
    scope: Scope,
    { call }: FixedTool,
    toolArguments: JsonObject,
    options: SendOptions,
  ): Promise<JsonObject> {
    const input = decode(call.input, toolArguments, { closed: true, representation: 'public' });
    const output = await this.calls.send(call, scope, input, options).catch((error: unknown) => {
      throw publicError(call.input, error);
    });
    return encode(call.output, output, 'public');
  }

  /** Executes with `confirm` and the token of a preview, and previews without. */
  private async confirmOrPreview(
    scope: Scope,
    { code }: Operation,
    toolArguments: JsonObject,
    options: SendOptions,
  ): Promise<JsonObject> {
    const { input, confirmation } = confirmedInput(toolArguments);
    const confirmed = await this.confirmed(scope, confirmation);
    const outcome = await this.calls.send(executeOperation, scope, { code, input, ...confirmed }, options);
    return encode(ExecutionOutcome, outcome);
  }

  /** @throws ConfirmationWithheld for a key in a group whose keys do not confirm */
  private async confirmed(
    scope: Scope,
    { confirm, previewToken }: ToolConfirmation,
  ): Promise<{ readonly confirm: boolean; readonly previewToken?: string }> {
    if (!confirm || previewToken === undefined) return { confirm: false };
    if (scope.credential === 'api_key' && !(await this.keysConfirm(scope))) throw new ConfirmationWithheld();
    return { confirm: true, previewToken };
  }

  private async keysConfirm({ groupId }: Scope): Promise<boolean> {
    const scope = new WorkScope(groupId, 'chat', 'agent.call_tool');
    const { values } = await this.calls.send(readParameters, scope, { parameterCodes: [CONFIRMS] });
    return values[0]?.value !== 'false';
  }
}
