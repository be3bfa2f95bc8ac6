import { ratesSql, REQUEST_RATE_TABLE } from '@acervo/platform-counters';
import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

/**
 * Web locations and their pages. `research` is how far a run of research is; without a decision a page is only listed.
 * `object` is what the site last answered, of which the document of the page is made. `checked_run` is the last run
 * that asked the site.
 */
const schema = `
create table ingestion.web_root (
  group_id uuid not null, location_code text not null, start_urls text[] not null, topic text not null,
  research jsonb,
  primary key (group_id, location_code),
  foreign key (group_id, location_code) references ingestion.location (group_id, code) on delete cascade);
${tenantTable('ingestion', 'web_root')}

create table ingestion.web_page (
  group_id uuid not null, location_code text not null, url text not null,
  is_public boolean not null default false,
  title text not null default '', language text, score double precision not null default 0,
  excerpt text not null default '', terms text[] not null default '{}',
  decision text check (decision in ('APPROVED', 'REJECTED')), decided_at timestamptz,
  name text, media_type text, size bigint, object text, content_hash text, etag text, last_modified text,
  checked_run int, checked_at timestamptz, absences int not null default 0, problem text,
  primary key (group_id, location_code, url),
  foreign key (group_id, location_code) references ingestion.web_root (group_id, location_code) on delete cascade);
create index web_page_listing on ingestion.web_page (group_id, location_code, score, url);
create index web_page_object on ingestion.web_page (group_id, object) where object is not null;
${tenantTable('ingestion', 'web_page')}
`;

/** Where a document comes from; without an origin, from a folder. */
const documentOrigins = `
alter table ingestion.document add column origin text check (origin in ('WEB', 'PUBLICO')), add column url text;
`;

/** A run of research finds pages; the other runs of a web location fetch them. */
const researchRuns = `
alter table ingestion.run add column research boolean not null default false;
`;

/**
 * What each fetched page changed in a run of research, in order. Steps belong to the beginning in
 * `web_root.research` that names their journal; other ones are left over, and deleted with the run.
 */
const researchSteps = `
create table ingestion.web_research_step (
  group_id uuid not null, location_code text not null, journal uuid not null, step int not null, change jsonb not null,
  primary key (group_id, location_code, journal, step),
  foreign key (group_id, location_code) references ingestion.web_root (group_id, location_code) on delete cascade);
${tenantTable('ingestion', 'web_research_step')}
`;

/** Why a chat model would keep a page; null where the product says why. */
const reasons = `
alter table ingestion.web_page add column why text;
`;

export const webSourceMigrations: readonly MigrationClass[] = [
  sqlMigration('WebSources1798000000010', schema, { kind: 'expand' }),
  sqlMigration('DocumentOrigins1798000000020', documentOrigins, { kind: 'expand' }),
  sqlMigration('ResearchRuns1798000000030', researchRuns, { kind: 'expand' }),
  sqlMigration('EgressRates1798000000040', ratesSql('ingestion'), { kind: 'expand' }),
  sqlMigration('ResearchSteps1798100000000', researchSteps, { kind: 'expand' }),
  sqlMigration('PageReasons1798100000010', reasons, { kind: 'expand' }),
];

export const ingestionSharedTables = [REQUEST_RATE_TABLE] as const;
