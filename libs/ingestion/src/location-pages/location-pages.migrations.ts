import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The compiled page of a folder. It names no document: these are added for each reader. */
const schema = `
alter table ingestion.location add column page text, add column page_at timestamptz;
`;

export const locationPages: MigrationClass = sqlMigration('LocationPages1796000000220', schema, { kind: 'expand' });
