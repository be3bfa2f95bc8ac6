import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';
import { isGone, pagesOf } from './corpus-sql';

/** The pages of a group, and what its plan says of them. */
const limits = `
create table ingestion.corpus (
  group_id uuid not null primary key, pages bigint not null default 0, plan_revision int not null default 0,
  included int, on_limit text not null default 'BLOCK' check (on_limit in ('BLOCK', 'ALLOW')),
  full_since timestamptz);
${tenantTable('ingestion', 'corpus')}
`;

/**
 * Every statement that changes a document changes its pages in the corpus, that of an earlier program too. The row of
 * the group is locked at the commit, behind all documents, so that no two transactions wait for each other.
 */
const countedPages = `
alter table ingestion.document add column corpus_pages int;

create function ingestion.keep_corpus_pages() returns trigger language plpgsql as $body$
begin
  if ${isGone('new')} then
    new.corpus_pages := null;
  elsif new.corpus_pages is null then
    -- Searchable, or on its way to the indexes by a program that asks for no pages.
    if new.handed_over is not null or new.status in ('FRAGMENTADO', 'VECTORIZADO') then
      new.corpus_pages := coalesce(new.pages, old.pages, 0);
    end if;
  elsif new.pages is distinct from old.pages then
    -- A new text. Until it is read the earlier pages count.
    new.corpus_pages := coalesce(new.pages, new.corpus_pages);
  end if;
  return new;
end $body$;
create trigger keep_corpus_pages before insert or update on ingestion.document
  for each row execute function ingestion.keep_corpus_pages();

create function ingestion.count_corpus_pages() returns trigger language plpgsql as $body$
declare
  change int := ${pagesOf('new')} - case when tg_op = 'INSERT' then 0 else ${pagesOf('old')} end;
begin
  insert into ingestion.corpus as c (group_id, pages) values (new.group_id, change)
  on conflict (group_id) do update set pages = c.pages + excluded.pages;
  return null;
end $body$;
create constraint trigger count_corpus_pages_of_new after insert on ingestion.document deferrable initially deferred
  for each row when (${pagesOf('new')} > 0) execute function ingestion.count_corpus_pages();
create constraint trigger count_corpus_pages after update on ingestion.document deferrable initially deferred
  for each row when (${pagesOf('old')} <> ${pagesOf('new')}) execute function ingestion.count_corpus_pages();

-- The owner sees rows of all groups where row security is not forced.
alter table ingestion.document no force row level security;
alter table ingestion.corpus no force row level security;
insert into ingestion.corpus (group_id, pages)
  select d.group_id, sum(${pagesOf('d')}) from ingestion.document d group by d.group_id;
alter table ingestion.corpus force row level security;
alter table ingestion.document force row level security;
`;

export const corpusMigrations: readonly MigrationClass[] = [
  sqlMigration('CorpusLimits1797200000010', limits, { kind: 'expand' }),
  sqlMigration('CorpusPages1797200000020', countedPages, { kind: 'expand' }),
];
