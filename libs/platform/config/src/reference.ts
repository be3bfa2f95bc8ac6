import type { SettingDescription } from './settings';

/** A program and the settings that it reads. */
export interface ConfiguredProgram {
  readonly name: string;
  readonly settings: readonly SettingDescription[];
}

const boundsOf = ({ oneOf, min, max }: SettingDescription): string => {
  if (oneOf !== undefined) return oneOf.map((value) => `\`${value}\``).join(', ');
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  return min === undefined ? '' : `at least ${min}`;
};

const defaultOf = ({ default: value, secret = false, explicit }: SettingDescription): string => {
  if (explicit !== undefined) return '';
  if (value === null || value === '') return '';
  // Omits the default of a secret: a published default looks like a value to keep.
  return secret && typeof value === 'string' && !value.includes('://') ? '' : `\`${String(value)}\``;
};

const rowOf = (setting: SettingDescription): string => {
  const { env, description, secret = false, explicit } = setting;
  const must = explicit === undefined ? '' : ` (must be set, such as \`${explicit}\`)`;
  return `| \`${env}\` | ${defaultOf(setting)} | ${boundsOf(setting)} | ${description}${secret ? ' (secret)' : ''}${must} |`;
};

const tableOf = (title: string, settings: readonly SettingDescription[]): string =>
  settings.length === 0
    ? `## ${title}\n\nNo settings but those of every service.\n\n`
    : `## ${title}

| Variable | Default | Values | Meaning |
| --- | --- | --- | --- |
${settings.map(rowOf).join('\n')}

`;

const byName = (settings: readonly SettingDescription[]): Map<string, SettingDescription> =>
  new Map(settings.map((setting) => [setting.env, setting]));

/** The names of all settings of these programs, for `setting-names.ts`: each program knows those of the others. */
export const settingNames = (programs: readonly ConfiguredProgram[]): string[] => {
  const all = programs.flatMap(({ settings }) => settings);
  const names = all.flatMap(({ env, secret }) => (secret === true ? [env, `${env}_FILE`] : [env]));
  return [...new Set(names)].toSorted();
};

/** The text of `setting-names.ts`. */
export const settingNamesModule = (programs: readonly ConfiguredProgram[]): string =>
  `/** The variables of all settings of all programs. Written by \`npm run openapi\`; a test compares it with the settings. */
export const SETTING_NAMES: readonly string[] = [
${settingNames(programs)
  .map((name) => `  '${name}',`)
  .join('\n')}
];
`;

/**
 * The reference of all settings in docs/configuration.md: first those of every program, then those of each. Generated
 * from the classes that read them.
 */
export const configurationReference = (
  services: readonly ConfiguredProgram[],
  others: readonly ConfiguredProgram[],
) => {
  const [first, ...rest] = services.map(({ settings }) => byName(settings));
  const shared = [...(first ?? new Map<string, SettingDescription>()).values()].filter(({ env }) =>
    rest.every((settings) => settings.has(env)),
  );
  const sharedNames = new Set(shared.map(({ env }) => env));
  const ownSettings = ({ name, settings }: ConfiguredProgram): string =>
    tableOf(
      name,
      [...byName(settings).values()].filter(({ env }) => !sharedNames.has(env)),
    );
  return `# Configuration

Each program reads its settings from environment variables, once, at its start; invalid values stop it, with all problems in one message. So does a variable that begins with \`ACERVO_\` and is no setting of any program; the message names the nearest one. A value marked as secret may be in a file, as mounted secrets are: the variable with \`_FILE\` after its name names the file. This page is written by \`npm run openapi\` from the classes that read them; a test holds it to them.

${tableOf('Every service', shared)}${[...services, ...others].map(ownSettings).join('')}`;
};
