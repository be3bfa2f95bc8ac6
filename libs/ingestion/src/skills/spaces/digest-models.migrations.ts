import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/**
 * What the result of a space was made of, and by which model with which layers of its prompt. `progress` is what a run
 * that is not done has read.
 */
const schema = `
alter table ingestion.space_skill add column result_key text, add column model text, add column layers jsonb,
  add column progress jsonb;
`;

export const digestModels: MigrationClass = sqlMigration('DigestModels1798100000010', schema, { kind: 'expand' });
