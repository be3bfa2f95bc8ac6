import { Module } from '@nestjs/common';
import { AuthenticationModule } from '@acervo/platform-service';
import { AgentRoutesModule } from './agent/agent.module';
import { CatalogModule } from './catalog/catalog.module';
import { ConversationRoutesModule } from './conversations/conversations.module';
import { DocumentPageModule } from './document-page/document-page.module';
import { DocumentsModule } from './documents/documents.module';
import { FunctionsModule } from './functions/functions.module';
import { McpModule } from './mcp/mcp.module';
import { OperationsModule } from './operations/operations.module';
import { OrganizationModule } from './organization/organization.module';
import { ProcessRoutesModule } from './processes/processes.module';
import { QueueRoutesModule } from './queue/queue.module';
import { ReleasesModule } from './releases/releases.module';
import { SearchPageModule } from './search-page/search-page.module';
import { SessionModule } from './session/session.module';
import { SkillRoutesModule } from './skills/skills.module';
import { SpacesModule } from './spaces/spaces.module';
import { TreesModule } from './trees/trees.module';
import { UsageModule } from './usage/usage.module';
import { VersionModule } from './version/version.module';

/** The routes of `/v1`, the pages and the version: presentations of the calls of other services. */
@Module({
  imports: [
    AuthenticationModule,
    SessionModule,
    TreesModule,
    DocumentsModule,
    OrganizationModule,
    FunctionsModule,
    CatalogModule,
    ConversationRoutesModule,
    AgentRoutesModule,
    McpModule,
    OperationsModule,
    ProcessRoutesModule,
    QueueRoutesModule,
    VersionModule,
    SearchPageModule,
    DocumentPageModule,
    SpacesModule,
    SkillRoutesModule,
    ReleasesModule,
    UsageModule,
  ],
})
export class GatewayModule {}
