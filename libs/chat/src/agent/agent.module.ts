import { Module } from '@nestjs/common';
import { AgentTools } from './agent-tools';
import { AgentHandlers } from './agent.handlers';
import { ToolCalls } from './tool-calls';
import { ToolCatalogue } from './tool-catalogue';

/** Agents: their context and their tools. */
@Module({
  providers: [{ provide: ToolCatalogue, useFactory: () => new ToolCatalogue() }, AgentTools, ToolCalls, AgentHandlers],
  exports: [AgentTools, ToolCatalogue],
})
export class AgentModule {}
