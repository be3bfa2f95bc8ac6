import 'reflect-metadata';
import { readFileSync } from 'node:fs';

type Value = string | number | boolean | null;

export interface SettingOptions {
  /** Name of the environment variable. */
  readonly env: string;
  /** Value when the variable is absent; null where no default is sensible and the reader decides. */
  readonly default: Value;
  /** One sentence for the reference. */
  readonly description: string;
  /** Never printed, and readable from a file that the variable with the suffix `_FILE` names. */
  readonly secret?: boolean;
  /**
   * An example of a value, for a setting whose default is right for the services of `npm start` only: a program on a
   * server does not start without a value.
   */
  readonly explicit?: string;
  readonly oneOf?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly type?: 'text' | 'number' | 'flag';
  /** Another value than the default needs `NODE_ENV=test`: it would open what a program that serves keeps closed. */
  readonly testsOnly?: boolean;
}

export interface SettingDescription extends SettingOptions {
  readonly property: string;
}

const settings = new Map<object, SettingDescription[]>();

/** Declares one setting of a configuration class: its variable, its purpose and its range. */
export const Setting =
  (options: SettingOptions): PropertyDecorator =>
  (target, key) => {
    settings.set(target, [...(settings.get(target) ?? []), { ...options, property: String(key) }]);
  };

/** A class whose fields carry `@Setting`. */
export type SettingsClass<C extends object = object> = new () => C;

/** The settings of a configuration class, inherited ones first. */
export const settingsOf = (type: SettingsClass): readonly SettingDescription[] => {
  const found: SettingDescription[] = [];
  for (let proto = type.prototype as object | null; proto !== null; proto = Object.getPrototypeOf(proto))
    found.unshift(...(settings.get(proto) ?? []));
  return found;
};

/** All problems of an environment in one message, which names valid values. */
export class InvalidConfiguration extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'InvalidConfiguration';
  }
}

const kindOf = ({ type, default: fallback }: SettingOptions): 'text' | 'number' | 'flag' =>
  type ?? (typeof fallback === 'number' ? 'number' : typeof fallback === 'boolean' ? 'flag' : 'text');

const readNumber = (text: string, { env, min, max }: SettingOptions): number | string => {
  const value = Number(text);
  const bounds = `${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` to ${max}`}`;
  const fits =
    text.trim() !== '' && Number.isFinite(value) && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  return fits ? value : `${env} must be a number${bounds}.`;
};

/** The value of one setting, or the problem with it. */
const readOne = (setting: SettingOptions, text: string | undefined): { value: Value } | { problem: string } => {
  if (text === undefined || text === '') return { value: setting.default };
  const kind = kindOf(setting);
  if (kind === 'number') {
    const value = readNumber(text, setting);
    return typeof value === 'number' ? { value } : { problem: value };
  }
  if (kind === 'flag')
    return ['true', 'false'].includes(text)
      ? { value: text === 'true' }
      : { problem: `${setting.env} must be true or false.` };
  if (setting.oneOf !== undefined && !setting.oneOf.includes(text))
    return { problem: `${setting.env} must be one of ${setting.oneOf.join(', ')}.` };
  return { value: text };
};

/** Variables by name, of a process or a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of one setting: from the environment, or for a secret from the file that it names. */
const textOf = ({ env, secret }: SettingOptions, environment: Environment): { text?: string } | { problem: string } => {
  const [text, file] = [environment[env], environment[`${env}_FILE`]];
  if (secret !== true || file === undefined || file === '') return text === undefined ? {} : { text };
  if (text !== undefined && text !== '') return { problem: `${env} and ${env}_FILE cannot both be set.` };
  try {
    return { text: readFileSync(file, 'utf8').trim() };
  } catch {
    return { problem: `${env}_FILE names a file that cannot be read.` };
  }
};

/** Fills one settings class; answers the problems. */
const fill = (config: object, type: SettingsClass, environment: Environment): string[] =>
  settingsOf(type).flatMap((setting) => {
    const text = textOf(setting, environment);
    const read = 'problem' in text ? text : readOne(setting, text.text);
    if ('problem' in read) return [read.problem];
    if (setting.testsOnly === true && read.value !== setting.default && environment['NODE_ENV'] !== 'test')
      return [`${setting.env} is for tests alone and must not be set.`];
    Reflect.set(config, setting.property, read.value);
    return [];
  });

/** Every problem with the values of settings classes in an environment. */
export const problemsOf = (types: readonly SettingsClass[], environment: Environment): string[] =>
  types.flatMap((type) => fill(new type(), type, environment));

/**
 * Reads settings classes from an environment, once; the results are immutable.
 * @throws InvalidConfiguration with every problem at once; no value is repeated, since it may be a secret.
 */
export const readConfigs = (
  types: readonly SettingsClass[],
  environment: Environment,
): ReadonlyMap<SettingsClass, object> => {
  const configs = new Map(types.map((type) => [type, new type()]));
  const problems = [...configs].flatMap(([type, config]) => fill(config, type, environment));
  if (problems.length > 0) throw new InvalidConfiguration([...new Set(problems)]);
  for (const config of configs.values()) Object.freeze(config);
  return configs;
};

/** Reads one settings class. @throws InvalidConfiguration */
export const readConfig = <C extends object>(type: SettingsClass<C>, environment: Environment): Readonly<C> =>
  readConfigs([type], environment).get(type) as Readonly<C>;
