import { exportPagesMigration, type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

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

/**
 * What documents are and what was found in them, as codes to filter by; a type stands behind the types above it.
 * Documents described by earlier programs carry none. One index serves any of the three.
 */
const documentCodes = `
alter table retrieval.document add column type_codes text[] not null default '{}',
  add column attribute_codes text[] not null default '{}', add column characteristic_codes text[] not null default '{}';
create index document_codes on retrieval.document using gin (type_codes, attribute_codes, characteristic_codes);
`;

/**
 * Sets of documents. Members have the version of the refresh that gathered them; a space is read at one version. The
 * row of a document names the transaction of its last fact, and a space the snapshot that its members were gathered
 * from, so that a fact counts as later exactly where that snapshot lacks it.
 */
const spaces = `
create table retrieval.space_counter (group_id uuid primary key, value int not null);
${tenantTable('retrieval', 'space_counter')}
create table retrieval.space (
  group_id uuid not null, space_id int not null, name text not null, description text not null,
  type text not null check (type in ('AREA', 'ESPACIO')), entity_code text, owner_id uuid,
  criteria jsonb, expression jsonb, operand_versions int[], listed uuid[],
  version int not null default 0, requested int not null default 0,
  refreshed_at timestamptz, refreshed_in pg_snapshot,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (group_id, space_id));
${tenantTable('retrieval', 'space')}
create table retrieval.space_member (
  group_id uuid not null, space_id int not null, version int not null, document_id uuid not null,
  primary key (group_id, space_id, version, document_id));
${tenantTable('retrieval', 'space_member')}
`;

/** The index is partial: it serves comparisons of `noted_in`, and no look-up of a document. */
const documentFacts = `
alter table retrieval.document add column language text, add column changed_at timestamptz, add column noted_in xid8;
create index document_facts on retrieval.document (group_id, noted_in) where noted_in is not null;
`;

/**
 * Look-ups of a document by its id have one index to choose. Beside another one that begins with the group, the planner
 * may take that one where statistics are missing or old, and then reads all documents of the group for each. Every
 * document has a code, and only statements that compare codes can use an index of those that have one. It is in the order
 * of lists, so that their pages are read from it.
 */
const documentKeys = `
create unique index document_code on retrieval.document (group_id, code collate "C") where code is not null;
alter table retrieval.document drop constraint document_group_id_code_key;
`;

/**
 * Programs of the last release store facts without their transaction. Beside them in a rolling upgrade, these facts make
 * spaces stale too.
 */
const documentNotes = `
create function retrieval.note_document() returns trigger language plpgsql as $body$
begin
  new.noted_in = pg_current_xact_id();
  return new;
end $body$;
create trigger note_insert before insert on retrieval.document for each row when (new.noted_in is null)
  execute function retrieval.note_document();
create trigger note_update before update on retrieval.document for each row
  when (new.revision is distinct from old.revision and new.noted_in is not distinct from old.noted_in)
  execute function retrieval.note_document();
`;

/** What a reader sees of the documents of an entity is counted from the key alone. */
const documentReaders = `
alter table retrieval.document drop constraint document_pkey,
  add primary key (group_id, document_id) include (withdrawn, entity_code);
`;

/** When a document became searchable by words or by meaning: criteria compare it. Rows from before count as known. */
const liveNotes = `
alter table retrieval.live add column noted_in xid8;
alter table retrieval.live alter column noted_in set default pg_current_xact_id();
create index live_facts on retrieval.live (group_id, noted_in) where noted_in is not null;
`;

/** The first day of the calendar month in UTC. */
const THIS_MONTH = `date_trunc('month', now() at time zone 'utc')::date`;

/**
 * A quota has a plan and a period. Rows from before belong to the running month and keep what was used; programs of the
 * last release insert rows of the running month.
 */
const quotaPeriods = `
alter table retrieval.allowance add column plan_code text, add column plan_revision int not null default 0,
  add column on_limit text not null default 'BLOCK' check (on_limit in ('BLOCK', 'ALLOW')),
  add column start_day int not null default 1 check (start_day between 1 and 28),
  add column period_start date not null default ${THIS_MONTH};
create table retrieval.retrieval_count (
  group_id uuid not null, period_start date not null, entity_code text not null, used int not null,
  primary key (group_id, period_start, entity_code));
${tenantTable('retrieval', 'retrieval_count')}
`;

/** A reservation is refunded into the period and to the entity that it was counted for. */
const reservationPeriods = `
alter table retrieval.taking add column period_start date, add column entity_code text not null default '';
`;

/** The address of a web page that a document is; null for a file. */
const documentAddresses = `
alter table retrieval.document add column url text;
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
  sqlMigration('DocumentCodes1796000000020', documentCodes, { kind: 'expand' }),
  sqlMigration('Spaces1797000000010', spaces, { kind: 'expand' }),
  sqlMigration('DocumentFacts1797000000020', documentFacts, { kind: 'expand' }),
  sqlMigration('DocumentKeys1797000000030', documentKeys, { kind: 'expand' }),
  sqlMigration('DocumentNotes1797000000040', documentNotes, { kind: 'expand' }),
  exportPagesMigration('retrieval', 'ExportPages1797000000050', { kind: 'expand' }),
  sqlMigration('DocumentReaders1797000000060', documentReaders, { kind: 'expand' }),
  sqlMigration('LiveNotes1797000000070', liveNotes, { kind: 'expand' }),
  sqlMigration('QuotaPeriods1797100000010', quotaPeriods, { kind: 'expand' }),
  sqlMigration('ReservationPeriods1797100000020', reservationPeriods, { kind: 'expand' }),
  sqlMigration('DocumentAddresses1798000000010', documentAddresses, { kind: 'expand' }),
];
