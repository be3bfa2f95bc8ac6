import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** No user requests the runs that follow a hand-over. */
const schema = `
alter table ingestion.document_skill alter column requested_by drop not null;
`;

export const backgroundSummaries: MigrationClass = sqlMigration('BackgroundSummaries1796200000410', schema, {
  kind: 'expand',
});
