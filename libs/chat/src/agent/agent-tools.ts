import { Injectable } from '@nestjs/common';
import type { ToolCallRequest } from '@acervo/contracts';
import type { SendOptions } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { ToolCalls } from './tool-calls';
import { ToolCatalogue } from './tool-catalogue';

type JsonObject = Readonly<Record<string, unknown>>;

/** The one way to the tools, for agents over HTTP and for the built-in loop. */
@Injectable()
export class AgentTools {
  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly tools: ToolCalls,
  ) {}

  /**
   * The whole result of a tool, in public names.
   * @throws NotFound for a tool that the caller lacks, and the errors of the call behind it
   */
  call(
    scope: Scope,
    {
      publicName,
      functionProfile,
      arguments: toolArguments,
    }: Required<Pick<ToolCallRequest, 'publicName' | 'functionProfile' | 'arguments'>>,
    options: SendOptions = {},
  ): Promise<JsonObject> {
    const tool = this.catalogue.find(scope, functionProfile, publicName);
    return this.tools.call(scope, tool, toolArguments, options);
  }
}
