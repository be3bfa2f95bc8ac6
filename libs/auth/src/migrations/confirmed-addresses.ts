import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

const ROW_SECURITY = ['app_user', 'login_directory'] as const;
const rowSecurity = (state: 'force' | 'no force'): string =>
  ROW_SECURITY.map((table) => `alter table auth.${table} ${state} row level security;`).join('\n');

/**
 * An address is unique over all groups once its owner confirmed it. Which of the stored accounts were confirmed by mail
 * is not stored: each account that may sign in, or might again, counts as confirmed.
 */
const schema = `
alter table auth.app_user add column address_confirmed boolean not null default false;
alter table auth.login_directory add column confirmed boolean not null default false;
-- The owner is bound by row security like every role, so it is lifted for the rows of all groups.
${rowSecurity('no force')}
update auth.app_user set address_confirmed = true where state <> 'PENDIENTE';
update auth.login_directory set confirmed = true where state <> 'PENDIENTE';
${rowSecurity('force')}
alter table auth.login_directory drop constraint login_directory_pkey,
  drop constraint login_directory_group_id_user_id_key, add primary key (group_id, user_id);
create unique index login_directory_confirmed on auth.login_directory (email) where confirmed;
create index login_directory_email on auth.login_directory (email);
create or replace function auth.keep_login_directory() returns trigger language plpgsql as $body$
begin
  insert into auth.login_directory (email, group_id, user_id, name, state, confirmed)
    values (new.email, new.group_id, new.user_id, new.name, new.state, new.address_confirmed)
    on conflict (group_id, user_id) do update set email = excluded.email, name = excluded.name, state = excluded.state,
      confirmed = excluded.confirmed;
  return new;
end $body$;
drop trigger keep_directory on auth.app_user;
create trigger keep_directory after insert or update of email, name, state, address_confirmed on auth.app_user
  for each row execute function auth.keep_login_directory();
-- An invitation is for the account of one group.
alter table auth.mail_outbox add column invited_to uuid;
`;

export const confirmedAddresses: MigrationClass = sqlMigration('AuthConfirmedAddresses1795700000100', schema);
