import 'reflect-metadata';
import { readFileSync } from 'node:fs';

type Value = string | number | boolean | null;

export interface SettingOptions {
  /** Name of the environment variable. */
  readonly env: string;
  /** What runs without it; null where there is nothing sensible and the reader decides. */
  readonly default: Value;
  /** One sentence for the reference. */
  readonly description: string;
  /** Never printed, and readable from the file that the variable with `_FILE` behind its name names. */
  readonly secret?: boolean;
  readonly oneOf?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly type?: 'text' | 'number' | 'flag';
}

export interface SettingDescription extends SettingOptions {
  readonly property: string;
}

const settings = new Map<object, SettingDescription[]>();

/** Declares one setting of a configuration class: where it comes from, what it is for, what it may be. */
export const Setting =
  (options: SettingOptions): PropertyDecorator =>
  (target, key) => {
    settings.set(target, [...(settings.get(target) ?? []), { ...options, property: String(key) }]);
  };

type ConfigClass<C> = new () => C;

/** The settings of a configuration class, inherited ones first. */
export const settingsOf = (type: ConfigClass<unknown>): readonly SettingDescription[] => {
  const found: SettingDescription[] = [];
  for (let proto = type.prototype as object | null; proto !== null; proto = Object.getPrototypeOf(proto))
    found.unshift(...(settings.get(proto) ?? []));
  return found;
};

/** Everything that is wrong with the environment, in one message that says what would be right. */
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

type Environment = Readonly<Record<string, string | undefined>>;

/** The text of one setting: what stands in the environment, or for a secret in the file that it names. */
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

/**
 * Reads a configuration class from an environment, once; the result cannot be changed.
 * @throws InvalidConfiguration with every problem at once; no value is repeated, since it may be a secret.
 */
export const readConfig = <C extends object>(type: ConfigClass<C>, environment: Environment): Readonly<C> => {
  const config = new type();
  const problems: string[] = [];
  for (const setting of settingsOf(type)) {
    const given = textOf(setting, environment);
    const read = 'problem' in given ? given : readOne(setting, given.text);
    if ('problem' in read) problems.push(read.problem);
    else Reflect.set(config, setting.property, read.value);
  }
  if (problems.length > 0) throw new InvalidConfiguration(problems);
  return Object.freeze(config);
};
