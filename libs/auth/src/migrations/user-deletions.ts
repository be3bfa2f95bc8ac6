import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';
import { DELETING } from '../kernel/account-state';

/** An account in deletion, with a row for each service that still has to delete what names its user. */
const schema = `
alter table auth.app_user drop constraint app_user_state_check,
  add constraint app_user_state_check check (state in ('ACTIVO', 'INACTIVO', 'PENDIENTE', '${DELETING}'));
create table auth.user_deletion (group_id uuid not null, user_id uuid not null, service text not null,
  asked_at timestamptz not null default now(), primary key (group_id, user_id, service),
  foreign key (group_id, user_id) references auth.app_user (group_id, user_id) on delete cascade);
${tenantTable('auth', 'user_deletion')}
grant delete on auth.login_directory to auth_app;
create or replace function auth.keep_login_directory() returns trigger language plpgsql as $body$
begin
  if new.state = '${DELETING}' then
    delete from auth.login_directory where group_id = new.group_id and user_id = new.user_id;
    return new;
  end if;
  insert into auth.login_directory (email, group_id, user_id, name, state, confirmed)
    values (new.email, new.group_id, new.user_id, new.name, new.state, new.address_confirmed)
    on conflict (group_id, user_id) do update set email = excluded.email, name = excluded.name, state = excluded.state,
      confirmed = excluded.confirmed;
  return new;
end $body$;
`;

export const userDeletions: MigrationClass = sqlMigration('AuthUserDeletions1795900000100', schema);
