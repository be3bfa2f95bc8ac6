import { exportPagesMigration, type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';
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

/**
 * Definitions, and the processes that are started from them or asked for. A process keeps its own copy of the tasks, so
 * that a change of its definition reaches later ones alone. A definition has one process for a subject for ever; of what
 * services ask for, one is open at a time.
 */
const processes = `
create table operations.process_counter (group_id uuid primary key, value int not null);
${tenantTable('operations', 'process_counter', 'select, insert, update')}
create table operations.group_process (
  group_id uuid not null, code text collate "C" not null, name text not null, description text not null, category text,
  priority text not null, position int not null, trigger_kind text not null, document_type_code text, period text,
  scheduled_from timestamptz, assignee_id uuid, assignee text, due_days int, version int not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (group_id, code));
create index group_process_of_type on operations.group_process (group_id, document_type_code)
  where document_type_code is not null;
create index group_process_of_assignee on operations.group_process (group_id, assignee_id) where assignee_id is not null;
${tenantTable('operations', 'group_process')}
create table operations.group_task (
  group_id uuid not null, process_code text collate "C" not null, code text collate "C" not null, name text not null,
  description text not null, position int not null, role_code text, assignee_id uuid, assignee text, days int,
  primary key (group_id, process_code, code),
  foreign key (group_id, process_code) references operations.group_process on delete cascade);
create index group_task_of_assignee on operations.group_task (group_id, assignee_id) where assignee_id is not null;
${tenantTable('operations', 'group_task')}
create table operations.process (
  group_id uuid not null, code text collate "C" not null, type text not null,
  subject text not null, definition_code text collate "C", definition_version int, name text not null,
  description text not null, category text, status text not null, priority text not null,
  position int not null, comments text, created_by_id uuid, created_by text, assigned_to_id uuid, assigned_to text,
  entity_code text, document_code text, due_at timestamptz, finished_at timestamptz, cost numeric(11, 2),
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (group_id, code));
create unique index process_of_subject on operations.process (group_id, subject) where type = 'GRUPO';
create unique index open_process_of_subject on operations.process (group_id, type, subject)
  where type <> 'GRUPO' and status not in ('TERMINADO', 'CANCELADO');
create index process_order on operations.process
  (group_id, array_position(array['BAJA','NORMAL','ALTA','URGENTE'], priority) desc, due_at, position);
create index process_of_creator on operations.process (group_id, created_by_id);
create index process_of_assignee on operations.process (group_id, assigned_to_id);
create index process_of_definition on operations.process (group_id, definition_code);
create index process_end on operations.process (group_id, finished_at) where finished_at is not null;
${tenantTable('operations', 'process')}
create table operations.process_task (
  group_id uuid not null, process_code text collate "C" not null, code text collate "C" not null, name text not null,
  description text not null, position int not null, status text not null, role_code text, assignee_id uuid,
  assignee text, days int, finished_at timestamptz, primary key (group_id, process_code, code),
  foreign key (group_id, process_code) references operations.process on delete cascade);
create index process_task_of_assignee on operations.process_task (group_id, assignee_id) where assignee_id is not null;
${tenantTable('operations', 'process_task')}
`;

/**
 * Calls of chat models, and the tokens that a period of the group counts. A call counts its most tokens until its end is
 * known: `counted` is what it counts for now.
 */
const modelCalls = `
create table operations.model_token (group_id uuid primary key, period_start date not null, used bigint not null);
${tenantTable('operations', 'model_token', 'select, insert, update')}
create table operations.model_token_count (
  group_id uuid not null, period_start date not null, entity_code text collate "C" not null, used bigint not null,
  primary key (group_id, period_start, entity_code));
${tenantTable('operations', 'model_token_count', 'select, insert, update')}
create table operations.model_call (
  group_id uuid not null, call_id uuid not null, service text not null, entity_code text collate "C", purpose text not null,
  layers jsonb not null, model text not null, outcome text not null,
  period_start date not null, counted bigint not null, tokens_in bigint, tokens_out bigint, milliseconds int,
  ends_by timestamptz not null, created_at timestamptz not null default now(), primary key (group_id, call_id));
create index model_call_age on operations.model_call (group_id, created_at);
create index running_model_call on operations.model_call (group_id, ends_by) where outcome = 'RUNNING';
${tenantTable('operations', 'model_call')}
`;

/**
 * What a definition has had a process for that is deleted by now. Documents are classified again and again, and the
 * calendar is looked at every day: without it they would start what a person deleted.
 */
const startedSubjects = `
create table operations.started_subject (group_id uuid not null, subject text not null, primary key (group_id, subject));
${tenantTable('operations', 'started_subject')}
`;

/** Tables that belong to no group. */
export const operationsSharedTables = ['plan'] as const;

export const operationsMigrations: readonly MigrationClass[] = [
  sqlMigration('Operations1760000190000', first),
  sqlMigration('OperationsAuditConcerns1760001600000', concerns),
  sqlMigration('OperationsUsersOfAnswers1795900000200', usersOfAnswers),
  sqlMigration('OperationsPlans1797100000010', plans, { kind: 'expand' }),
  sqlMigration('OperationsProcesses1797300000010', processes, { kind: 'expand' }),
  exportPagesMigration('operations', 'OperationsExportPages1797300000020', { kind: 'expand' }),
  sqlMigration('OperationsStartedSubjects1797300000030', startedSubjects, { kind: 'expand' }),
  sqlMigration('OperationsModelCalls1797600000010', modelCalls, { kind: 'expand' }),
];
