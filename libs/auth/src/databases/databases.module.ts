import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { CATALOGUE_ROLE, DIRECTORY_ROLE } from '@acervo/platform-database';
import { DatabaseLogins } from '@acervo/platform-service';
import { AuthConfig } from '../auth-config';
import { CatalogueDatabase, CROSS_GROUP_CONNECTIONS, DirectoryDatabase } from './databases';

/** Of each of the two roles. */
const MOST_CONNECTIONS = CROSS_GROUP_CONNECTIONS / 2;

/** The database as the roles that reach across groups. */
@Module({
  providers: [
    {
      provide: DirectoryDatabase,
      inject: [DatabaseLogins, AuthConfig],
      useFactory: (logins: DatabaseLogins, { directoryPassword }: AuthConfig) =>
        new DirectoryDatabase({ ...logins.connection(DIRECTORY_ROLE, directoryPassword), max: MOST_CONNECTIONS }),
    },
    {
      provide: CatalogueDatabase,
      inject: [DatabaseLogins, AuthConfig],
      useFactory: (logins: DatabaseLogins, { cataloguePassword }: AuthConfig) =>
        new CatalogueDatabase({ ...logins.connection(CATALOGUE_ROLE, cataloguePassword), max: MOST_CONNECTIONS }),
    },
  ],
  exports: [DirectoryDatabase, CatalogueDatabase],
})
export class DatabasesModule implements OnApplicationShutdown {
  constructor(
    private readonly directory: DirectoryDatabase,
    private readonly catalogue: CatalogueDatabase,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.directory.close(), this.catalogue.close()]);
  }
}
