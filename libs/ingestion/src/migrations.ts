import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

const first = `
-- Public codes are numbered per group.
create table ingestion.counter (
  group_id uuid not null, name text not null, value bigint not null,
  primary key (group_id, name));
${tenantTable('ingestion', 'counter')}

create table ingestion.location (
  group_id uuid not null, code text not null, root_code text not null, parent_code text,
  name text not null, relative_path text not null, root_path text,
  device text not null, inode text not null,
  entity_code text not null, location_ancestors text[] not null,
  created_at timestamptz not null default now(),
  primary key (group_id, code),
  foreign key (group_id, parent_code) references ingestion.location (group_id, code),
  check ((parent_code is null) = (root_path is not null)));
create unique index location_root on ingestion.location (group_id, root_path) where root_path is not null;
create index location_tree on ingestion.location (group_id, root_code, code);
${tenantTable('ingestion', 'location')}

create table ingestion.document (
  group_id uuid not null, document_id uuid not null default uuidv7(), code text not null,
  location_code text not null, root_code text not null, location_ancestors text[] not null, entity_code text not null,
  name text not null, relative_path text not null, path text not null,
  size bigint not null, mtime text not null, content_hash text, settings_hash text not null,
  status text not null, reason text, retry_on_scan boolean not null default false,
  revision int not null default 1, generation int not null default 1, handed_over int,
  title text, summary text, language text, pages int, chunk_count int, indexed_chunks int,
  original_object text, text_object text, chunks_object text, vectors_object text, embedding jsonb,
  content_at timestamptz not null default now(),
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (group_id, document_id), unique (group_id, code), unique (group_id, location_code, name),
  foreign key (group_id, location_code) references ingestion.location (group_id, code));
create index document_listing on ingestion.document (group_id, path collate "C", code);
create index document_scan on ingestion.document (group_id, root_code, document_id);
create index document_state on ingestion.document (group_id, status, updated_at);
${tenantTable('ingestion', 'document')}

-- What a step made of the same input and settings before: nothing is extracted or embedded twice within a group.
create table ingestion.step_result (
  group_id uuid not null, stage text not null, key text not null, value jsonb not null,
  created_at timestamptz not null default now(),
  primary key (group_id, stage, key));
${tenantTable('ingestion', 'step_result', 'select, insert')}

create table ingestion.run (
  group_id uuid not null, run int not null, location_code text not null,
  started_at timestamptz not null, finished_at timestamptz not null default now(), summary jsonb not null,
  primary key (group_id, run));
${tenantTable('ingestion', 'run', 'select, insert')}
`;

const second = `
-- The vector space that retrieval searches a group in, as it says itself.
create table ingestion.live_space (
  group_id uuid not null primary key, model text not null, revision text not null, dimension int not null,
  floor double precision not null);
${tenantTable('ingestion', 'live_space')}
`;

export const ingestionMigrations: readonly MigrationClass[] = [
  sqlMigration('Ingestion1760000001000', first),
  sqlMigration('LiveSpace1763700000000', second),
];
