import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../program';

/** A program of the compose file that this repository builds, with interpolated settings. */
export interface ComposedProgram {
  /** Folder in `apps`. */
  readonly app: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the secrets that it may read, each a file in `/run/secrets`. */
  readonly secrets: readonly string[];
  readonly restart: string;
}

interface Written {
  readonly restart?: string;
  readonly build?: { readonly args?: { readonly SERVICE?: string } };
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

/** `${NAME}`, `${NAME:-default}` and `${NAME:?reason}`; the innermost of nested ones matches first. */
const VARIABLE = /\$\{(\w+)(?::([-?])([^${}]*))?\}/;

/** Interpolates a value as compose does. @throws for a required variable that is not set */
export const interpolated = (value: string, variables: Variables): string => {
  const found = VARIABLE.exec(value);
  if (found === null) return value;
  const [whole, name = '', kind, rest = ''] = found;
  const setting = variables[name] ?? '';
  if (setting === '' && kind === '?') throw new Error(`The compose file needs ${name}: ${rest}.`);
  const next = setting === '' && kind === '-' ? rest : setting;
  return interpolated(value.slice(0, found.index) + next + value.slice(found.index + whole.length), variables);
};

/** The programs of `docker/compose.yaml` by name, with the settings and secrets that they receive. */
export const composedPrograms = (variables: Variables): ReadonlyMap<string, ComposedProgram> => {
  const text = readFileSync(join(repository, 'docker', 'compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { readonly services: Readonly<Record<string, Written>> };
  const programs = Object.entries(services).flatMap(
    ([name, { build, environment = {}, secrets = [], restart = 'no' }]) => {
      const app = build?.args?.SERVICE;
      if (app === undefined) return [];
      const values = Object.entries(environment).map(
        ([variable, value]) => [variable, interpolated(String(value), variables)] as const,
      );
      return [[name, { app, environment: Object.fromEntries(values), secrets, restart }] as const];
    },
  );
  return new Map(programs);
};
