// Reads what other programs depend on from the compiled packages: calls, events and migrations; and the published
// description, which a suite compares with the served one.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './options.mjs';

const require = createRequire(import.meta.url);
const KINDS = ['calls', 'claims', 'events', 'migrations', 'openapi'];

/** A schema without what no reader depends on. */
const withoutProse = (value) => {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  const { description: _description, default: _default, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withoutProse(inner)]));
};

/** The schema of a class, with `properties` as a map of fields. A field may be called `description` or `default`. */
const shapeOf = (schema) => ({
  required: schema.required,
  fields: Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, fieldOf(field)])),
});

const fieldOf = (schema) => {
  const { description: _description, default: _default, properties, required: _required, ...rest } = schema;
  if (properties !== undefined) return { type: rest.type, shape: shapeOf(schema) };
  if (schema.items?.properties === undefined) return withoutProse(rest);
  return { type: rest.type, maxItems: rest.maxItems, items: shapeOf(schema.items) };
};

const sorted = (entries) => Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));

const callsOf = ({ allCalls, jsonSchemaOf }) =>
  sorted(
    allCalls().map(({ code, owner, effect, scope, reach, callers, input, output }) => [
      code,
      {
        ...{ owner, effect, scope, reach, callers: [...callers].sort() },
        input: shapeOf(jsonSchemaOf(input, 'wire')),
        output: shapeOf(jsonSchemaOf(output, 'wire')),
      },
    ]),
  );

const eventsOf = ({ allEvents, jsonSchemaOf }) =>
  sorted(
    allEvents().map(({ topic, producer, payload }) => [
      topic,
      { producer, payload: shapeOf(jsonSchemaOf(payload, 'wire')) },
    ]),
  );

/** What tokens contain that every service reads. */
const claimsOf = ({ ScopeClaims, jsonSchemaOf }) => ({ scope: shapeOf(jsonSchemaOf(ScopeClaims, 'wire')) });

const digestOf = (sql) => createHash('sha256').update(sql).digest('hex').slice(0, 16);

const migrationsOf = ({ programs, services }) => {
  const { migrationsOf: allOf } = require('@acervo/platform-service');
  const ofService = new Map(
    programs.map(({ name }) => [name, require(`@acervo/${name}`)[`${name}Service`].migrations ?? []]),
  );
  return Object.fromEntries(
    services.map((service) => [
      service,
      sorted(
        allOf(service, ofService.get(service))
          .map((Migration) => new Migration())
          .map(({ name, sql, kind, oldestProgram }) => [name, { digest: digestOf(sql), kind, oldestProgram }]),
      ),
    ]),
  );
};

/** Whether the packages are compiled, and can be read. */
export const isBuilt = () => existsSync(join(root, 'apps', 'migrate', 'dist', 'main.js'));

/** What this version publishes and stores. */
export const currentState = () => {
  require('reflect-metadata');
  const contracts = require('@acervo/contracts');
  const { RELEASE } = require('@acervo/platform-config');
  return {
    release: RELEASE,
    ...{ calls: callsOf(contracts), claims: claimsOf(contracts) },
    ...{ events: eventsOf(contracts), migrations: migrationsOf(contracts) },
    openapi: JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')),
  };
};

const RELEASED = join(root, 'tools', 'released');
const LINE = 118;

const jsonIn = (name) => JSON.parse(readFileSync(join(RELEASED, `${name}.json`), 'utf8'));

/** What the last release published and stored. */
export const releasedState = () => ({
  release: jsonIn('release').release,
  ...Object.fromEntries(KINDS.map((kind) => [kind, jsonIn(kind)])),
});

/** JSON with a line for each field that fits into one, so that a diff names what changed. */
const linesOf = (value, indent = '') => {
  const line = JSON.stringify(value);
  const isShort = line.length + indent.length <= LINE && !/\{.*\{/.test(line);
  if (isShort || typeof value !== 'object' || value === null) return line;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = Object.entries(value).map(
    ([name, each]) =>
      `${indent}  ${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${linesOf(each, `${indent}  `)}`,
  );
  return `${open}\n${inner.join(',\n')}\n${indent}${close}`;
};

/** Writes what a release publishes and stores; nothing is accepted beyond it any longer. */
export const writeReleased = (release, { calls, claims, events, migrations, openapi }) => {
  const accepted = { accepted: {}, 'accepted-openapi': {} };
  const files = { release: { release }, calls, claims, events, migrations, openapi, ...accepted };
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(RELEASED, `${name}.json`), `${linesOf(JSON.parse(JSON.stringify(value)))}\n`);
};

/** Differences that are accepted although they are not additive, each with its reason. */
export const acceptedProblems = () => jsonIn('accepted');
