import { services } from '@acervo/contracts';
import { migrationsOf } from '@acervo/platform-service';
import type { Migrations } from '@acervo/platform-testing';
import { installedServices } from '@acervo/standalone';

/** The migrations of a first start. */
export const everyMigration = (): Migrations =>
  Object.fromEntries(
    services.map((service) => {
      const installed = installedServices.find(({ name }) => name === service);
      return [service, migrationsOf(service, installed?.migrations)];
    }),
  );
