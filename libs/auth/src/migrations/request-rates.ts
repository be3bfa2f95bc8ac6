import { ratesSql, REQUEST_RATE_TABLE } from '@acervo/platform-counters';
import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** Rates of requests by key and by user. */
export const requestRateMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthRequestRates1790000300000', ratesSql('auth')),
];

export const requestRateSharedTables = [REQUEST_RATE_TABLE] as const;
