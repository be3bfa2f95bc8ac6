import { CATALOGUE_ROLE, Database } from '@acervo/platform-database';
import { connectionOf, defineService } from '@acervo/platform-service';
import { AuthConfig } from './auth-config';
import { PeopleTransferCalls } from './exports/people.calls';
import { openIdentity } from './identity';
import { KeyStore } from './keys/key.store';
import { authMigrations, authSharedTables } from './migrations';
import { organisationProviders } from './organisation/organisation';
import { ProvisioningService } from './provisioning/provisioning.service';
import { ProvisioningStore } from './provisioning/provisioning.store';
import { peopleControllers, peopleProviders } from './users/people';
import { authWishes } from './wishes/auth.wishes';

/** Who somebody is and what they may do. */
export const authService = defineService({
  name: 'auth',
  config: AuthConfig,
  migrations: authMigrations,
  sharedTables: authSharedTables,
  wishes: authWishes,
  compose: (kit) => {
    const { config, engines } = kit;
    const { database } = engines;
    const identity = openIdentity(kit);
    const { peppers, accounts, hasher, directory, invitations, passwords } = identity;
    const catalogue = new Database({ ...connectionOf(config, CATALOGUE_ROLE, config.cataloguePassword), max: 2 });
    return {
      providers: [
        ...identity.providers,
        new ProvisioningService(database, new ProvisioningStore(), new KeyStore(peppers), { accounts, hasher }),
        new PeopleTransferCalls(database, directory),
        ...peopleProviders({ database, directory, catalogue, invitations, passwords }),
        ...organisationProviders({ database, calls: kit.calls, peppers }),
      ],
      controllers: [...identity.controllers, ...peopleControllers],
      authenticator: identity.authenticator,
      close: async () => {
        await identity.close();
        await catalogue.close();
      },
    };
  },
});
