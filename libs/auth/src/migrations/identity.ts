import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';
import { countersSql, RATE_TABLE } from '@acervo/platform-counters';

const OWNER = `foreign key (group_id, user_id) references auth.app_user (group_id, user_id) on delete cascade`;
const OF_SESSION = `foreign key (group_id, session_id) references auth.session (group_id, session_id) on delete cascade`;
const OF_FACTOR = `foreign key (group_id, factor_id) references auth.factor (group_id, factor_id) on delete cascade`;

const sessions = `
create table auth.password (group_id uuid not null, user_id uuid not null, hash text not null,
  changed_at timestamptz not null default now(), primary key (group_id, user_id), ${OWNER});
${tenantTable('auth', 'password')}
create table auth.session (group_id uuid not null, session_id uuid not null default uuidv7(), user_id uuid not null,
  assurance int not null default 1, created_at timestamptz not null default now(), expires_at timestamptz not null, ended_at timestamptz,
  active_group_id uuid, active_entity text, active_application text, primary key (group_id, session_id), ${OWNER});
create index session_of_user on auth.session (group_id, user_id);
${tenantTable('auth', 'session')}
create table auth.refresh_token (group_id uuid not null, token_id uuid not null, session_id uuid not null, hash bytea not null,
  pepper_version int not null, expires_at timestamptz not null, used_at timestamptz, primary key (group_id, token_id), ${OF_SESSION});
create index refresh_token_session on auth.refresh_token (group_id, session_id);
${tenantTable('auth', 'refresh_token')}
`;

/** Single-use tokens that arrive by mail, and second factors with their challenges. */
const proofs = `
create table auth.action_token (group_id uuid not null, token_id uuid not null, user_id uuid not null,
  purpose text not null check (purpose in ('INVITACION', 'RECUPERACION')), hash bytea not null, pepper_version int not null,
  expires_at timestamptz not null, used_at timestamptz, primary key (group_id, token_id), ${OWNER});
create index action_token_user on auth.action_token (group_id, user_id);
${tenantTable('auth', 'action_token')}
create table auth.factor (group_id uuid not null, factor_id uuid not null default uuidv7(), user_id uuid not null,
  kind text not null check (kind in ('totp', 'webauthn')), name text not null, verified_at timestamptz, secret bytea,
  last_step bigint not null default -1, credential_id text, public_key bytea, sign_count bigint not null default 0,
  created_at timestamptz not null default now(), primary key (group_id, factor_id), ${OWNER});
create index factor_user on auth.factor (group_id, user_id);
create unique index factor_credential on auth.factor (group_id, credential_id);
${tenantTable('auth', 'factor')}
create table auth.challenge (group_id uuid not null, challenge_id uuid not null default uuidv7(), factor_id uuid not null,
  session_id uuid not null, nonce text, tries int not null default 0, expires_at timestamptz not null, used_at timestamptz,
  primary key (group_id, challenge_id), ${OF_FACTOR}, ${OF_SESSION});
create index challenge_factor on auth.challenge (group_id, factor_id);
create index challenge_session on auth.challenge (group_id, session_id);
${tenantTable('auth', 'challenge')}
`;

/** Tables without a group: signing keys for all groups, registrations without a group, counts of attempts. */
const shared = `
create table auth.signing_key (kid text primary key, public_jwk jsonb not null, private_sealed bytea not null,
  signs_from timestamptz not null, created_at timestamptz not null default now());
grant select, insert, delete on auth.signing_key to auth_app;
create table auth.pending_registration (email text primary key check (email = lower(email)), name text not null, group_name text not null,
  state text not null default 'PENDIENTE' check (state in ('PENDIENTE', 'MAIL_VALIDADO', 'CREACION_SEMILLA')),
  group_id uuid not null default uuidv7(), password_hash text, token_id uuid, token_hash bytea, pepper_version int,
  token_expires_at timestamptz, created_at timestamptz not null default now());
create index pending_registration_token on auth.pending_registration (token_id);
grant select, insert, update, delete on auth.pending_registration to auth_app;
${countersSql('auth')}
-- A key of a user in whose group its maker is a guest names the maker's own group too.
alter table auth.api_key add column created_in uuid;
`;

/** Tables of sessions, passwords, factors and keys. */
export const identityMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthIdentity1760000005000', sessions + proofs + shared),
];

export const identitySharedTables = ['signing_key', 'pending_registration', RATE_TABLE] as const;
