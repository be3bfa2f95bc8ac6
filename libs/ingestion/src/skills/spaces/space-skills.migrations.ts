import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

/**
 * The latest run of each skill over each space, and its result. The subject of its task is `work_id`. A result quotes the
 * documents of `cited_ids`; it is deleted with the first of them.
 */
const schema = `
create table ingestion.space_skill (
  group_id uuid not null, space_id int not null, skill_code text not null,
  work_id uuid not null default uuidv7(), run_id uuid not null, document_ids uuid[] not null,
  requested_by uuid not null, requested_at timestamptz not null default now(),
  made_by_run uuid, version text, cited_ids uuid[], result jsonb, made_at timestamptz,
  primary key (group_id, space_id, skill_code), unique (group_id, work_id),
  check ((result is null) = (cited_ids is null) and (result is null) = (made_by_run is null)
    and (result is null) = (version is null) and (result is null) = (made_at is null)));
${tenantTable('ingestion', 'space_skill')}
`;

export const spaceSkills: MigrationClass = sqlMigration('SpaceSkills1796000000210', schema, { kind: 'expand' });
