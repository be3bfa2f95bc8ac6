import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The types that rules and similarity leave to a chat model; none where they decide for themselves. */
const schema = `
alter table ingestion.document_class add column candidates text[] not null default '{}';
`;

export const modelCandidates: MigrationClass = sqlMigration('ModelCandidates1797300000010', schema, { kind: 'expand' });
