import { Module } from '@nestjs/common';
import { VersionModule } from '../version/version.module';
import { McpController } from './mcp.controller';
import { McpServers } from './mcp-servers';

/** The tools of agents over the Model Context Protocol. */
@Module({ imports: [VersionModule], controllers: [McpController], providers: [McpServers] })
export class McpModule {}
