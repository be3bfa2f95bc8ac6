import { services } from '@acervo/contracts';
import { migrationsOf } from '@acervo/platform-service';
import type { Migrations } from '@acervo/platform-testing';
import { installedServices } from '@acervo/standalone';

/** What a first start brings its database to. */
export const everyMigration = (): Migrations =>
  Object.fromEntries(
    services.map((service) => {
      const installed = installedServices.find(({ name }) => name === service);
      return [service, migrationsOf(service, installed?.migrations)];
    }),
  );
