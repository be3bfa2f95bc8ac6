import { Module } from '@nestjs/common';
import { AgentHandlers } from './agent.handlers';
import { ToolCalls } from './tool-calls';
import { ToolCatalogue } from './tool-catalogue';

/** Agents: their context and their tools. */
@Module({
  providers: [{ provide: ToolCatalogue, useFactory: () => new ToolCatalogue() }, ToolCalls, AgentHandlers],
})
export class AgentModule {}
