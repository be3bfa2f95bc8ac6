import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The day on which a key was used last; null for a key that was not used since. No index contains it. */
const lastUse = `alter table auth.api_key add column last_used_on date;`;

export const keyUse: MigrationClass = sqlMigration('AuthKeyUse1799500000200', lastUse, { kind: 'expand' });
