import { createHash } from 'node:crypto';
import { PLANNED_SCREEN, type Screen } from '@acervo/contracts';
import { type MigrationClass, sqlMigration } from '@acervo/platform-database';
import { type FunctionContent, functionContents } from './content';
import { compileFunction } from './markdown';
import { globalRoles } from './roles';
import { applications, screenSeeds } from './screens';

/**
 * The version of the seed. A migration runs once under its name, so every change of the seed raises this time stamp and
 * adds the one before to the superseded ones. A test contains the digest of the seed for this version.
 */
export const SEED_VERSION = 1760000014000;

const order = Object.keys(screenSeeds) as Screen[];

const served = ({ isPlanned, ...content }: FunctionContent): FunctionContent =>
  isPlanned === true ? { ...content, description: `${PLANNED_SCREEN} ${content.description}` } : content;

export const servedContents: readonly FunctionContent[] = functionContents.map(served);

const functions = servedContents.map((content) => ({
  ...content,
  position: order.indexOf(content.code),
  profile: screenSeeds[content.code].profile,
  document: compileFunction(content),
}));

const seed = {
  applications: applications.map((application, position) => ({ ...application, position })),
  functions,
  functionApplications: order.flatMap((code) =>
    screenSeeds[code].applications.map((application) => [code, application]),
  ),
  roles: globalRoles.map(({ functions: _functions, ...role }, position) => ({ ...role, position })),
  roleFunctions: globalRoles.flatMap((role) => role.functions.map((code, position) => [role.id, code, position])),
  roleApplications: globalRoles.flatMap((role) => applications.map(({ code }) => [role.id, code])),
};

const literal = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;

/** Edits of SYSTEM users survive an update; rows that only the product wrote follow the product. */
const sql = `
insert into auth.global_application (code, name, position)
  select code, name, position from jsonb_to_recordset(${literal(seed.applications)}) as s (code text, name text, position int)
  on conflict (code) do update set name = excluded.name, position = excluded.position;

insert into auth.global_function as f (code, name, alias, description, summary, url, position, profile, sections, behaviours, document, documented_at)
  select code, name, alias, description, summary, url, position, profile, sections, behaviours, document, now()
  from jsonb_to_recordset(${literal(seed.functions)}) as s (code text, name text, alias text, description text, summary text, url text,
    position int, profile text, sections jsonb, behaviours jsonb, document text)
  on conflict (code) do update set name = excluded.name, alias = excluded.alias, description = excluded.description,
    summary = excluded.summary, url = excluded.url, position = excluded.position, profile = excluded.profile,
    sections = excluded.sections, behaviours = excluded.behaviours, document = excluded.document, documented_at = excluded.documented_at
  where not f.edited;

insert into auth.global_function_application (function_code, application_code)
  select s ->> 0, s ->> 1 from jsonb_array_elements(${literal(seed.functionApplications)}) s on conflict do nothing;

insert into auth.global_role as r (role_id, code, name, profile, description, position)
  select id, code, name, profile, description, position
  from jsonb_to_recordset(${literal(seed.roles)}) as s (id int, code text, name text, profile text, description text, position int)
  on conflict (role_id) do update set name = excluded.name, profile = excluded.profile, description = excluded.description,
    position = excluded.position where not r.edited;

insert into auth.global_role_function (role_id, function_code, position)
  select (s ->> 0)::int, s ->> 1, (s ->> 2)::int from jsonb_array_elements(${literal(seed.roleFunctions)}) s
  on conflict (role_id, function_code) do update set position = excluded.position;

insert into auth.global_role_application (role_id, application_code)
  select (s ->> 0)::int, s ->> 1 from jsonb_array_elements(${literal(seed.roleApplications)}) s on conflict do nothing;
`;

export const seedDigest = createHash('sha256').update(sql).digest('hex');

/** Earlier versions of the seed: databases have run them, and the present one replaces what they wrote. */
const SUPERSEDED = [
  sqlMigration('AuthCatalogue1760000006000', 'select 1'),
  sqlMigration('AuthCatalogue1760000007000', 'select 1'),
  sqlMigration('AuthCatalogue1760000008000', 'select 1', { kind: 'expand' }),
  sqlMigration('AuthCatalogue1760000009000', 'select 1', { kind: 'expand' }),
  sqlMigration('AuthCatalogue1760000010000', 'select 1', { kind: 'expand' }),
  sqlMigration('AuthCatalogue1760000011000', 'select 1', { kind: 'expand' }),
  sqlMigration('AuthCatalogue1760000012000', 'select 1', { kind: 'expand' }),
  sqlMigration('AuthCatalogue1760000013000', 'select 1', { kind: 'expand' }),
];

/** Insert or update the applications, functions and roles of the product. */
export const catalogueSeeds: readonly MigrationClass[] = [
  ...SUPERSEDED,
  sqlMigration(`AuthCatalogue${SEED_VERSION}`, sql, { kind: 'expand' }),
];
