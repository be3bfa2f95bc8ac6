import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

/** Dimensions that have a table of vectors. A further dimension takes a migration. */
export const VECTOR_DIMENSIONS = [384, 512, 768, 1024, 1536] as const;
const [FIRST_DIMENSION, ...LATER_DIMENSIONS] = VECTOR_DIMENSIONS;

const chunkKey =
  'bucket int not null, group_id uuid not null, space_id int not null, document_id uuid not null, generation int not null, ordinal int not null';
const primaryKey = 'primary key (group_id, document_id, space_id, generation, ordinal, bucket)';

const vectorTable = (dimension: number): string => `
create table retrieval.vector_${dimension} (${chunkKey}, embedding vector(${dimension}) not null, ${primaryKey}) partition by list (bucket);
${tenantTable('retrieval', `vector_${dimension}`)}`;

const first = `
create table retrieval.document (
  group_id uuid not null, document_id uuid not null,
  revision int not null, withdrawn boolean not null default false,
  code text not null, name text not null, title text, summary text not null,
  entity_code text not null, location_code text not null, location_ancestors text[] not null,
  home_var text, relative_path text not null, path text not null, origin text not null,
  primary key (group_id, document_id), unique (group_id, code));
create index document_ancestors on retrieval.document using gin (location_ancestors);
${tenantTable('retrieval', 'document')}

create table retrieval.embedding_space (
  group_id uuid not null, space_id int not null, model text not null, revision text not null, dimension int not null,
  floor double precision not null, state text not null check (state in ('LIVE', 'BUILDING', 'RETIRED')),
  primary key (group_id, space_id), unique (group_id, model, revision));
create unique index one_live_space on retrieval.embedding_space (group_id) where state = 'LIVE';
${tenantTable('retrieval', 'embedding_space')}

create table retrieval.live (
  group_id uuid not null, document_id uuid not null, space_id int not null, generation int not null,
  bucket int not null, chunk_count int not null, since timestamptz not null default now(),
  primary key (group_id, document_id, space_id));
${tenantTable('retrieval', 'live')}

-- Which bucket a group's chunks lie in. Not a tenant table: it is read before the group's own tables can be named.
create table retrieval.bucket_catalogue (
  bucket int generated always as identity primary key, group_id uuid not null unique, analysed_rows bigint not null default 0);
grant select, insert, update on retrieval.bucket_catalogue to retrieval_app;

create table retrieval.chunk (${chunkKey},
  page int, start_at int not null, end_at int not null, text text not null, context text not null, language text not null,
  terms text not null, ${primaryKey}) partition by list (bucket);
${tenantTable('retrieval', 'chunk')}

${vectorTable(FIRST_DIMENSION)}
`;

const second = LATER_DIMENSIONS.map(vectorTable).join('\n');

/**
 * Folders, so that an empty folder differs from a missing one. Folders of known documents are taken from these. Row
 * security binds the owner like every role, so it is lifted for this.
 */
const locations = `
create table retrieval.location (
  group_id uuid not null, code text not null, revision int not null, removed boolean not null,
  entity_code text not null, location_ancestors text[] not null, primary key (group_id, code));
alter table retrieval.document no force row level security;
insert into retrieval.location (group_id, code, revision, removed, entity_code, location_ancestors)
  select distinct on (d.group_id, a.code) d.group_id, a.code, 0, false, d.entity_code, d.location_ancestors[1:a.place]
  from retrieval.document d, unnest(d.location_ancestors) with ordinality as a (code, place)
  where not d.withdrawn order by d.group_id, a.code, d.revision desc;
alter table retrieval.document force row level security;
${tenantTable('retrieval', 'location')}
`;

/** Indexes of a group in an engine beside the database: the live one, and one that is being filled. */
const lexicalIndexes = `
create table retrieval.lexical_index (
  group_id uuid not null, number int not null, state text not null check (state in ('LIVE', 'BUILDING', 'RETIRED')),
  primary key (group_id, number));
create unique index one_live_lexical_index on retrieval.lexical_index (group_id) where state = 'LIVE';
${tenantTable('retrieval', 'lexical_index')}
`;

/**
 * The limit and the count of retrievals of a group, null for no limit; and the reservations, so that those of a
 * process that died are refunded.
 */
const quotas = `
create table retrieval.allowance (
  group_id uuid primary key, included int check (included >= 0), used int not null default 0 check (used >= 0));
${tenantTable('retrieval', 'allowance')}
create table retrieval.taking (
  group_id uuid not null, taking_id uuid not null, taken_at timestamptz not null default now(),
  primary key (group_id, taking_id));
${tenantTable('retrieval', 'taking')}
`;

/** The group also owns the row of its bucket. One lost predicate thus never leads into the bucket of another. */
const buckets = `
alter table retrieval.bucket_catalogue drop constraint bucket_catalogue_pkey, drop constraint bucket_catalogue_group_id_key,
  add primary key (group_id);
${tenantTable('retrieval', 'bucket_catalogue', 'select, insert, update')}
`;

/**
 * Rows of finished work on documents used to stay for ever. The owner sees rows of all groups where row security is not
 * forced. Searches do not read this table, so that its lock delays none.
 */
const finishedWork = `
alter table retrieval.task no force row level security;
delete from retrieval.task where status = 'DONE';
alter table retrieval.task force row level security;
`;

/**
 * Whether the vectors of a live generation are loaded. Rows from before this column were made live with their vectors,
 * or are handed over again with them.
 */
const liveVectors = `
alter table retrieval.live add column has_vectors boolean not null default true;
create index live_without_vectors on retrieval.live (group_id, space_id, document_id) where not has_vectors;
`;

export const retrievalMigrations: readonly MigrationClass[] = [
  sqlMigration('Retrieval1760000001000', first),
  sqlMigration('VectorDimensions1763700000000', second),
  sqlMigration('Locations1760000150002', locations),
  sqlMigration('LexicalIndexes1760000180000', lexicalIndexes),
  sqlMigration('Allowances1760001100000', quotas),
  sqlMigration('BucketsOfGroups1760000900001', buckets),
  sqlMigration('FinishedWork1764000000000', finishedWork, { kind: 'expand' }),
  sqlMigration('LiveVectors1795000000020', liveVectors, { kind: 'expand' }),
];
