import {
  appRole,
  exportPagesMigration,
  type MigrationClass,
  sqlMigration,
  tenantTable,
} from '@acervo/platform-database';
import { corpusMigrations } from './corpus/corpus.migrations';
import { locationPages } from './location-pages/location-pages.migrations';
import { modelCandidates } from './classification/model-candidates.migrations';
import { spaceSkills } from './skills/spaces/space-skills.migrations';
import { webSourceMigrations } from './web-sources/web-sources.migrations';
import { digestModels } from './skills/spaces/digest-models.migrations';
import { backgroundSummaries } from './skills/summaries/background-summaries.migrations';

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

/**
 * Properties that files state, and files inside others. A file is unique by folder and name, one inside another by its
 * carrier and name.
 */
const carriedFiles = `
alter table ingestion.document add column author text, add column stated_at timestamptz,
  add column parent_id uuid, add column carrier_id uuid, add column depth int not null default 0,
  add foreign key (group_id, parent_id) references ingestion.document (group_id, document_id),
  add check ((parent_id is null) = (depth = 0) and (parent_id is null) = (carrier_id is null));
alter table ingestion.document drop constraint document_group_id_location_code_name_key;
create unique index document_file on ingestion.document (group_id, location_code, name) where parent_id is null;
create unique index document_carried on ingestion.document (group_id, parent_id, name) where parent_id is not null;
create index document_carrier on ingestion.document (group_id, carrier_id) where carrier_id is not null;
`;

const livingFolders = `
-- A deleted document keeps its row: nothing brings back the same bytes at the same place.
alter table ingestion.document add column deleted_at timestamptz;
-- What a deleted document carries goes and comes back with it.
alter table ingestion.document add column deleted_with uuid;
-- From 1, worked first, to 9.
alter table ingestion.document add column ingestion_order int not null default 5
  check (ingestion_order between 1 and 9);
create index document_content on ingestion.document (group_id, content_hash) where content_hash is not null;
-- What was made of which content: forgotten when no document has that content any more.
truncate ingestion.step_result;
alter table ingestion.step_result add column content_hash text not null;
-- Files inside files are named by what their carrier gave.
create index step_result_carriers on ingestion.step_result (group_id) where value -> 'attachments' <> '[]'::jsonb;
create index step_result_content on ingestion.step_result (group_id, content_hash);
-- A run is written down when it is asked for, and knows which documents it set going.
alter table ingestion.run alter column started_at drop not null, alter column finished_at drop not null,
  alter column finished_at drop default, alter column summary drop not null,
  add column run_id uuid not null default uuidv7(), add column created_at timestamptz not null default now(),
  add column accept_deletions boolean not null default false, add column cancelled boolean not null default false;
create unique index run_by_id on ingestion.run (group_id, run_id);
grant update on ingestion.run to ${appRole('ingestion')};
alter table ingestion.document add column run int;
create index document_run on ingestion.document (group_id, run);
grant update, delete on ingestion.step_result to ${appRole('ingestion')};
`;

const liveSpace = `
-- The vector space that retrieval searches a group in, as it says itself.
create table ingestion.live_space (
  group_id uuid not null primary key, model text not null, revision text not null, dimension int not null,
  floor double precision not null);
${tenantTable('ingestion', 'live_space')}
`;

/** Folders are published, may be removed, and are listed by code and by parent. */
const visibleFolders = `
alter table ingestion.location add column revision int not null default 0, add column removed_at timestamptz;
create index location_listing on ingestion.location (group_id, code collate "C");
create index location_below on ingestion.location (group_id, parent_code);
`;

const scanLocks = `
-- A state that has no public name would fail every answer that shows it.
alter table ingestion.document add constraint document_status_known check (status in ('DETECTADO', 'ADQUIRIDO', 'EXTRAIDO',
  'CLASIFICADO', 'RESUMIDO', 'FRAGMENTADO', 'VECTORIZADO', 'ERROR', 'NO_ENCONTRADO', 'NO_SOPORTADO'));
-- Who scans a root now, whatever process it runs in.
create table ingestion.scan_turn (
  group_id uuid not null, root_code text not null, holder uuid not null, run int not null, held_until timestamptz not null,
  primary key (group_id, root_code));
${tenantTable('ingestion', 'scan_turn')}
`;

const reconciliation = `
-- How far the comparison of the stores is, and how the last one ended.
create table ingestion.reconciliation (
  group_id uuid not null primary key, pass jsonb not null, report jsonb, finished_at timestamptz);
${tenantTable('ingestion', 'reconciliation')}
`;

const earlierVectors = `
-- What a document was embedded to before it changed, until it is embedded again: passages that stayed keep theirs.
create table ingestion.earlier_vectors (
  group_id uuid not null, document_id uuid not null, content_hash text not null,
  chunks_object text not null, vectors_object text not null, embedding jsonb not null, version int not null,
  primary key (group_id, document_id),
  foreign key (group_id, document_id) references ingestion.document (group_id, document_id) on delete cascade);
create index earlier_vectors_of_chunks on ingestion.earlier_vectors (group_id, chunks_object);
create index earlier_vectors_by_object on ingestion.earlier_vectors (group_id, vectors_object);
${tenantTable('ingestion', 'earlier_vectors')}
-- Which version of the step made the vectors; none is the first.
alter table ingestion.document add column vectors_version int;
`;

const chunksDigest = `
-- What the chunks of the current generation say, to be compared with what is searched.
alter table ingestion.document add column chunks_digest text;
`;

/** A deleted root keeps its row, and its path may be registered again. */
const deletedLocations = `
alter table ingestion.location add column deleted_at timestamptz;
drop index ingestion.location_root;
create unique index location_root on ingestion.location (group_id, root_path)
  where root_path is not null and deleted_at is null;
`;

/** When a document with a transient failure failed, and the change time of its file at its last start. */
const retriedFiles = `
alter table ingestion.document add column failed_at timestamptz, add column change_time text;
`;

/**
 * Rows of finished single tasks used to stay for ever. The owner sees rows of all groups where row security is not
 * forced.
 */
const finishedWork = `
alter table ingestion.task no force row level security;
delete from ingestion.task where stage in ('discard', 'scan', 'remove-location') and status = 'DONE';
alter table ingestion.task force row level security;
`;

/** Old runs of a root are deleted when another one begins. */
const forgottenRuns = `
create index run_of_location on ingestion.run (group_id, location_code, run);
grant delete on ingestion.run to ${appRole('ingestion')};
`;

/** When a caller last waited for the scan lock of a run. */
const awaitedRuns = `
alter table ingestion.run add column awaited_at timestamptz not null default now();
`;

/** The generation of a document that retrieval has, by its words at least. */
const indexedGeneration = `
alter table ingestion.document add column indexed_generation int;
`;

/** Types, what belongs to them, and what matters in them. Each change raises the version of the taxonomy. */
const taxonomy = `
create table ingestion.taxonomy (group_id uuid not null primary key, version bigint not null);
${tenantTable('ingestion', 'taxonomy')}

-- No entity means the whole group.
create table ingestion.document_type (
  group_id uuid not null, code text not null, name text not null, description text not null default '',
  parent_code text, entity_code text, includes text not null default '', excludes text not null default '',
  rules jsonb not null default '[]', created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (group_id, code), check (parent_code <> code),
  foreign key (group_id, parent_code) references ingestion.document_type (group_id, code));
create index document_type_children on ingestion.document_type (group_id, parent_code) where parent_code is not null;
create index document_type_entity on ingestion.document_type (group_id, entity_code) where entity_code is not null;
${tenantTable('ingestion', 'document_type')}

create table ingestion.feature_category (
  group_id uuid not null, code text not null, type_code text not null, name text not null,
  description text not null default '', kind text not null check (kind in ('ATTRIBUTE', 'CHARACTERISTIC')),
  value_kind text check (value_kind in ('TEXT', 'NUMBER', 'AMOUNT', 'DATE', 'BOOLEAN')),
  page text, page_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (group_id, code), check ((value_kind is null) = (kind = 'CHARACTERISTIC')),
  foreign key (group_id, type_code) references ingestion.document_type (group_id, code) on delete cascade);
create index feature_category_type on ingestion.feature_category (group_id, type_code);
${tenantTable('ingestion', 'feature_category')}

create table ingestion.feature (
  group_id uuid not null, category_code text not null, code text not null, name text not null,
  pattern text, phrases jsonb not null default '{}', prompt text,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (group_id, category_code, code),
  foreign key (group_id, category_code) references ingestion.feature_category (group_id, code) on delete cascade);
${tenantTable('ingestion', 'feature')}
`;

/**
 * What documents are, and what was found in them. Types and features that are deleted stay here until their documents
 * are classified again; readers join the taxonomy.
 */
const classification = `
create table ingestion.type_example (
  group_id uuid not null, type_code text not null, document_id uuid not null,
  primary key (group_id, type_code, document_id),
  foreign key (group_id, type_code) references ingestion.document_type (group_id, code) on delete cascade,
  foreign key (group_id, document_id) references ingestion.document (group_id, document_id) on delete cascade);
create index type_example_document on ingestion.type_example (group_id, document_id);
${tenantTable('ingestion', 'type_example')}

create table ingestion.document_class (
  group_id uuid not null, document_id uuid not null, content_hash text not null, taxonomy_version bigint not null,
  type_code text, source text check (source in ('RULE', 'SIMILARITY', 'MODEL')),
  score double precision not null default 0, margin double precision not null default 0, runner_up text,
  evidence jsonb not null default '[]', awaits_vector boolean not null default false,
  classified_at timestamptz not null default now(),
  primary key (group_id, document_id),
  foreign key (group_id, document_id) references ingestion.document (group_id, document_id) on delete cascade);
create index document_class_type on ingestion.document_class (group_id, type_code, document_id)
  where type_code is not null;
create index document_class_version on ingestion.document_class (group_id, taxonomy_version, document_id);
${tenantTable('ingestion', 'document_class')}

create table ingestion.document_feature (
  group_id uuid not null, document_id uuid not null, category_code text not null, code text not null,
  value text, source text not null check (source in ('RULE', 'MODEL')), confidence double precision not null,
  page int, start_at int not null, end_at int not null, quote text not null,
  primary key (group_id, document_id, category_code, code),
  foreign key (group_id, document_id) references ingestion.document (group_id, document_id) on delete cascade);
create index document_feature_code on ingestion.document_feature (group_id, category_code, code, document_id);
${tenantTable('ingestion', 'document_feature')}
`;

/**
 * Documents of a folder by code, attachments included. A partial index would look cheap enough to the planner, without
 * statistics, to look documents up by id in it.
 */
const documentsOfFolder = `
create index document_folder on ingestion.document (group_id, location_code, code collate "C");
`;

/** What each version of a taxonomy changed: the features of one type, or, without one, the types themselves. */
const taxonomyChanges = `
create table ingestion.taxonomy_change (
  group_id uuid not null, version bigint not null, type_code text,
  primary key (group_id, version));
${tenantTable('ingestion', 'taxonomy_change')}
`;

/** The codes that were published of a document, to be compared with those of its next classification. */
const publishedCodes = `
alter table ingestion.document_class add column codes jsonb not null
  default '{"typeCodes": [], "attributes": [], "characteristics": []}';
create index document_class_awaits on ingestion.document_class (group_id, document_id) where awaits_vector;
`;

/** What a file consists of and what of it was read, as its extraction counted it. */
const extractionReport = `
alter table ingestion.document add column extraction_report jsonb;
`;

/**
 * The latest run of each skill over each document, and its result. The subject of its task is `work_id`; the result is
 * that of `text_object`, and is shown while the document has that text.
 */
const documentSkills = `
create table ingestion.document_skill (
  group_id uuid not null, document_id uuid not null, skill_code text not null,
  work_id uuid not null default uuidv7(), run_id uuid not null, space_id int,
  requested_by uuid not null, requested_at timestamptz not null default now(),
  text_object text, version text, result_key text, result jsonb, made_at timestamptz,
  primary key (group_id, document_id, skill_code), unique (group_id, work_id),
  check ((result is null) = (result_key is null) and (result is null) = (text_object is null)
    and (result is null) = (version is null) and (result is null) = (made_at is null)),
  foreign key (group_id, document_id) references ingestion.document (group_id, document_id) on delete cascade);
create index document_skill_result on ingestion.document_skill (group_id, result_key) where result_key is not null;
${tenantTable('ingestion', 'document_skill')}
`;

/**
 * How a model made a result: its name and the layers of its prompt, from which the hash of the prompt is computed again.
 * `progress` is what a run that is not done has read.
 */
const skillModels = `
alter table ingestion.document_skill add column model text, add column layers jsonb, add column progress jsonb;
`;

export const ingestionMigrations: readonly MigrationClass[] = [
  sqlMigration('Ingestion1760000001000', first),
  sqlMigration('Ingestion1760000002000', carriedFiles),
  sqlMigration('IngestionLivingFolders1760000003000', livingFolders),
  sqlMigration('LiveSpace1763700000000', liveSpace),
  sqlMigration('VisibleFolders1760000150001', visibleFolders),
  sqlMigration('ScanTurns1760000120010', scanLocks),
  sqlMigration('Reconciliation1760000120020', reconciliation),
  sqlMigration('EarlierVectors1760000600010', earlierVectors),
  sqlMigration('ChunksDigest1760000600030', chunksDigest),
  sqlMigration('DeletedLocations1760001000001', deletedLocations),
  sqlMigration('RetriedFiles1790000300000', retriedFiles),
  sqlMigration('FinishedWork1790000300010', finishedWork),
  sqlMigration('ForgottenRuns1790000300020', forgottenRuns),
  sqlMigration('AwaitedRuns1790000300030', awaitedRuns),
  sqlMigration('IndexedGeneration1795000000010', indexedGeneration, { kind: 'expand' }),
  sqlMigration('Taxonomy1796000000000', taxonomy, { kind: 'expand' }),
  sqlMigration('Classification1796000000010', classification, { kind: 'expand' }),
  sqlMigration('TaxonomyChanges1796000000020', taxonomyChanges, { kind: 'expand' }),
  sqlMigration('PublishedCodes1796000000030', publishedCodes, { kind: 'expand' }),
  sqlMigration('DocumentsOfFolder1796000000040', documentsOfFolder, { kind: 'expand' }),
  sqlMigration('ExtractionReport1796000000050', extractionReport, { kind: 'expand' }),
  sqlMigration('DocumentSkills1796000000060', documentSkills, { kind: 'expand' }),
  spaceSkills,
  locationPages,
  sqlMigration('SkillModels1796100000000', skillModels, { kind: 'expand' }),
  backgroundSummaries,
  exportPagesMigration('ingestion'),
  ...corpusMigrations,
  modelCandidates,
  ...webSourceMigrations,
  digestModels,
];
