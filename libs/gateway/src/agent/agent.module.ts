import { Module } from '@nestjs/common';
import { AgentController } from './agent.controller';

/** The context of agents, and their tools. */
@Module({ controllers: [AgentController] })
export class AgentRoutesModule {}
