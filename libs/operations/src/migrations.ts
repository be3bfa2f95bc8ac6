import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';
import { FREE_LOCAL } from './plans/free-plan';

const first = `
create table operations.audit_record (group_id uuid not null, number bigint not null, record_id uuid not null, call text not null,
  outcome text not null check (outcome in ('SUCCEEDED', 'REFUSED', 'FAILED')), error text, actor text not null, cause text not null,
  caller text not null, at timestamptz not null, key_version int not null, mac bytea not null,
  primary key (group_id, number), unique (group_id, record_id));
${tenantTable('operations', 'audit_record', 'select, insert')}
create table operations.audit_head (group_id uuid primary key, number bigint not null, mac bytea not null);
${tenantTable('operations', 'audit_head', 'select, insert, update')}
create table operations.idempotency (group_id uuid not null, credential_id text not null, key text not null, request_hash bytea not null,
  answer jsonb, begun_at timestamptz not null default now(), primary key (group_id, credential_id, key));
create index idempotency_age on operations.idempotency (group_id, begun_at);
${tenantTable('operations', 'idempotency')}
`;

/** Whom and what a record concerns; records from before have neither. */
const concerns = `alter table operations.audit_record add column subject text, add column target text;`;

/** Whose answers they are. Rows from before name no user; they expire within a day. */
const usersOfAnswers = `alter table operations.idempotency add column user_id uuid;
create index idempotency_user on operations.idempotency (group_id, user_id);`;

/** A plan never changes. Every installation has the one without limits. */
const plans = `
create table operations.plan (code text collate "C" primary key, content jsonb not null);
grant select, insert on operations.plan to operations_app;
insert into operations.plan (code, content) values ('${FREE_LOCAL.code}', '${JSON.stringify(FREE_LOCAL)}');
create table operations.group_plan (group_id uuid primary key, plan_code text collate "C" not null,
  revision int not null, assigned_at timestamptz not null default now());
${tenantTable('operations', 'group_plan', 'select, insert, update')}
`;

/** Tables that belong to no group. */
export const operationsSharedTables = ['plan'] as const;

export const operationsMigrations: readonly MigrationClass[] = [
  sqlMigration('Operations1760000190000', first),
  sqlMigration('OperationsAuditConcerns1760001600000', concerns),
  sqlMigration('OperationsUsersOfAnswers1795900000200', usersOfAnswers),
  sqlMigration('OperationsPlans1797100000010', plans, { kind: 'expand' }),
];
