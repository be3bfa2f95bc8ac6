import { escapeIdentifier, escapeLiteral } from 'pg';
// Not the index: the process of the embedded database loads this file, and would load every contract with the index.
import { services } from '@acervo/contracts/services';

/** The login roles of one service and of the machinery between them. */
export const ownerRole = (service: string): string => `${service}_owner`;
export const appRole = (service: string): string => `${service}_app`;
export const reconcilerRole = (service: string): string => `${service}_reconciler`;
/** Publishes the events of one service: it reads and deletes the outbox of that service alone. */
export const relayRole = (service: string): string => `${service}_relay`;
/**
 * Moves events between all schemas, where one program runs all services on one database. Deployments on servers retire
 * it: see `retireSharedRelaySql`.
 */
export const RELAY_ROLE = 'relay';
export const QUEUE_ROLE = 'queue';
/** Finds users and groups by their codes across groups, before the group is known. */
export const DIRECTORY_ROLE = 'auth_directory';
/** Changes data without a group: roles, functions and applications of the product. */
export const CATALOGUE_ROLE = 'auth_catalogue';
export const QUEUE_SCHEMA = 'bullmq';

/** Every login role. */
export const loginRoles = (): string[] => [
  ...services.flatMap((service) => [ownerRole(service), appRole(service), reconcilerRole(service), relayRole(service)]),
  RELAY_ROLE,
  QUEUE_ROLE,
  DIRECTORY_ROLE,
  CATALOGUE_ROLE,
];

const createRole = (name: string): string =>
  `do $make$ begin if not exists (select from pg_roles where rolname = '${name}') then create role ${name} login nosuperuser nobypassrls nocreaterole nocreatedb; end if; end $make$;`;

const schemaOf = (service: string): string => `
create schema if not exists ${service} authorization ${ownerRole(service)};
grant usage on schema ${service} to ${appRole(service)}, ${reconcilerRole(service)}, ${relayRole(service)}, ${RELAY_ROLE};`;

/** The bootstrap of both engines; each adds its own statements. */
const common = (): string => `
create extension if not exists vector;
revoke create on schema public from public;
${loginRoles().map(createRole).join('\n')}
${services.map(schemaOf).join('\n')}
grant usage on schema auth to ${DIRECTORY_ROLE}, ${CATALOGUE_ROLE};
create schema if not exists ${QUEUE_SCHEMA} authorization ${QUEUE_ROLE};
`;

/**
 * Bootstrap by a superuser, before any migration; idempotent. Creates extensions, roles, and one schema per service
 * owned by its owner role. No other role may create anything, also in `public`.
 */
export const bootstrapSql = (): string => `create extension if not exists pg_textsearch; ${common()}`;

/**
 * Takes every schema of this database from the role that reads each outbox, once no program of an earlier version uses
 * it. The next bootstrap without this statement gives them back.
 */
export const retireSharedRelaySql = (): string =>
  services.map((service) => `revoke usage on schema ${service} from ${RELAY_ROLE};`).join('\n');

/** Every statement has a timeout, and no transaction stays open idle: connections that wait behind it are served. */
const limitsOf = (role: string): readonly string[] => {
  const statement = role.endsWith('_owner') ? [] : [`statement_timeout = '30s'`];
  return [...statement, `lock_timeout = '15s'`, `idle_in_transaction_session_timeout = '15s'`];
};

/**
 * The bootstrap of a PostgreSQL server, whose text search is in OpenSearch and whose roles log in by password.
 * Idempotent; a repetition renews the passwords.
 * @param passwords by role; a role that is missing cannot log in
 */
export const serverBootstrapSql = (passwords: Readonly<Record<string, string>>): string => `
set local createrole_self_grant = 'set, inherit';
${common()}
${loginRoles()
  .flatMap((role) => limitsOf(role).map((limit) => `alter role ${role} set ${limit};`))
  .join('\n')}
${Object.entries(passwords)
  .map(([role, password]) => `alter role ${escapeIdentifier(role)} password ${escapeLiteral(password)};`)
  .join('\n')}`;
