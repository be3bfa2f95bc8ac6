import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller';
import { McpServers } from './mcp-servers';

/** The tools of agents over the Model Context Protocol. */
@Module({ controllers: [McpController], providers: [McpServers] })
export class McpModule {}
