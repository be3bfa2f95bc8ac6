import { appRole, type MigrationClass, RELAY_ROLE, relayRole, sqlMigration } from '@acervo/platform-database';

/** Order is kept per partition; a key always falls into the same one. */
export const PARTITIONS = 32;

const ENVELOPE = `
  event_id uuid not null default uuidv7(),
  group_id uuid not null,
  topic text not null,
  event_key text not null,
  payload jsonb not null,
  cause text not null,
  occurred_at timestamptz not null default now()`;

/** Tables of messaging that belong to no group; each row names its group. */
export const messagingTables = [
  'outbox',
  'outbox_lane',
  'incoming',
  'consumer_lease',
  'inbox',
  'dead_letter',
  'parked_key',
] as const;

/** Creates the tables of events. */
const messagingMigration = (service: string): MigrationClass => {
  const app = appRole(service);
  return sqlMigration(
    'Messaging1760000000000',
    `
create table ${service}.outbox (id bigint generated always as identity primary key, lane int not null, ${ENVELOPE});
grant insert on ${service}.outbox to ${app};
grant select, delete on ${service}.outbox to ${RELAY_ROLE};

create table ${service}.outbox_lane (lane int primary key, holder uuid, held_until timestamptz not null default '-infinity');
insert into ${service}.outbox_lane (lane) select generate_series(0, ${PARTITIONS - 1});
grant select, update on ${service}.outbox_lane to ${RELAY_ROLE};

create table ${service}.incoming (
  id bigint generated always as identity primary key, ${ENVELOPE},
  attempts int not null default 0,
  not_before timestamptz not null default '-infinity');
create index incoming_key on ${service}.incoming (group_id, event_key, id);
grant insert on ${service}.incoming to ${RELAY_ROLE};
grant select, insert, update, delete on ${service}.incoming to ${app};

create table ${service}.consumer_lease (id int primary key check (id = 1), holder uuid, held_until timestamptz not null default '-infinity');
insert into ${service}.consumer_lease (id) values (1);
grant select, update on ${service}.consumer_lease to ${app};

create table ${service}.inbox (event_id uuid primary key, handled_at timestamptz not null default now());
create index inbox_age on ${service}.inbox (handled_at);
grant select, insert, delete on ${service}.inbox to ${app};

create table ${service}.dead_letter (id bigint generated always as identity primary key, ${ENVELOPE},
  attempts int not null, reason text not null, died_at timestamptz not null default now());
grant select, insert, delete on ${service}.dead_letter to ${app};

create table ${service}.parked_key (group_id uuid not null, event_key text not null, since timestamptz not null default now(),
  primary key (group_id, event_key));
grant select, insert, delete on ${service}.parked_key to ${app};
`,
  );
};

/** Records what a process had taken when it died: an event that kills every process must not be retried for ever. */
const deathsMigration = (service: string): MigrationClass =>
  sqlMigration(
    'EventDeaths1760000600020',
    `alter table ${service}.incoming add column deaths int not null default 0;
     alter table ${service}.consumer_lease add column taken bigint[] not null default '{}';`,
  );

/** Adds the `traceparent` of what caused an event; null where there is none. It never decides anything. */
const traceMigration = (service: string): MigrationClass =>
  sqlMigration(
    'EventTrace1790000100000',
    ['outbox', 'incoming', 'dead_letter']
      .map((table) => `alter table ${service}.${table} add column trace text;`)
      .join('\n'),
  );

/**
 * Lets the relay role of the service publish its events. The role that reads every outbox has its rights until an
 * operator retires it: programs of the version before use it during an upgrade.
 */
const relayRolesMigration = (service: string): MigrationClass =>
  sqlMigration(
    'EventRelayRoles1797000000010',
    `grant select, delete on ${service}.outbox to ${relayRole(service)};
     grant select, update on ${service}.outbox_lane to ${relayRole(service)};`,
    { kind: 'expand' },
  );

/** The migrations of messaging, in order: the same tables in each schema. */
export const messagingMigrations = (service: string): readonly MigrationClass[] => [
  messagingMigration(service),
  deathsMigration(service),
  traceMigration(service),
  relayRolesMigration(service),
];
