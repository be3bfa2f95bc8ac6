import { Setting } from '@acervo/platform-config';
import { defineService, ServiceConfig } from '@acervo/platform-service';
import { DocumentsController } from './documents/documents.controller';
import { OrganizationController } from './organization/organization.controller';
import { QueueController } from './queue/queue.controller';
import { CallAuthenticator } from './session/call-authenticator';
import { SessionController } from './session/session.controller';
import { searchPage } from './search-page/search-page';
import { SearchPageController } from './search-page/search-page.controller';
import { Build } from './version/build';
import { VersionController } from './version/version.controller';

export class GatewayConfig extends ServiceConfig {
  @Setting({ env: 'ACERVO_VERSION', default: '0.1.0', description: 'Version that /version tells' })
  readonly version!: string;
  @Setting({ env: 'ACERVO_COMMIT', default: null, description: 'Commit that the program was built from' })
  readonly commit!: string | null;
  @Setting({ env: 'ACERVO_BUILT_AT', default: null, description: 'When the program was built, ISO 8601 in UTC' })
  readonly builtAt!: string | null;
}

/** The public face: `/v1` and what describes it. Presents the calls of the other services and decides nothing itself. */
export const gatewayService = defineService({
  name: 'gateway',
  config: GatewayConfig,
  documented: true,
  compose: ({ config, calls }) => ({
    providers: [new Build(config.version, config.commit, config.builtAt), searchPage()],
    controllers: [
      SessionController,
      DocumentsController,
      OrganizationController,
      QueueController,
      VersionController,
      SearchPageController,
    ],
    authenticator: new CallAuthenticator(calls),
  }),
});
