import { type MigrationClass, reconcilable, sqlMigration, tenantTable } from '@acervo/platform-database';

/** Columns that the reconciler of a service may read across groups: enough to signal, no content of tasks. */
const VISIBLE = ['group_id', 'stage', 'status', 'leased_until', 'not_before', 'updated_at'] as const;

/** The table of tasks of a service: what to do, which worker leases it, until when. Jobs contain none of this. */
export const tasksMigration = (service: string): MigrationClass =>
  sqlMigration(
    'Tasks1760000000001',
    `
create table ${service}.task (
  group_id uuid not null,
  subject_id uuid not null,
  stage text not null,
  generation int not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'LEASED', 'DONE', 'FAILED')),
  priority int not null default 0,
  attempts int not null default 0,
  lease uuid,
  leased_until timestamptz,
  not_before timestamptz not null default now(),
  reason text,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (group_id, subject_id, stage, generation)
);
create index task_open on ${service}.task (group_id, stage, priority desc, created_at) where status in ('WAITING', 'LEASED');
create index task_due on ${service}.task (updated_at) where status in ('WAITING', 'LEASED');
${tenantTable(service, 'task')}
${reconcilable(service, 'task', VISIBLE)}
`,
  );

/** Adds the number of worker deaths: a task that kills every worker must not be claimed for ever. */
export const deathsMigration = (service: string): MigrationClass =>
  sqlMigration('TaskDeaths1760000120000', `alter table ${service}.task add column deaths int not null default 0;`);

/** Adds the `traceparent` of what caused a task: jobs are transient, the row keeps it. */
const traceMigration = (service: string): MigrationClass =>
  sqlMigration('TaskTrace1790000100100', `alter table ${service}.task add column trace text;`);

/** The migrations of the table of tasks, in order. */
export const taskMigrations = (service: string): readonly MigrationClass[] => [
  tasksMigration(service),
  deathsMigration(service),
  traceMigration(service),
];
