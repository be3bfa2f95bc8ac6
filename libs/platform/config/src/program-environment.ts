import { SETTING_NAMES } from './setting-names';
import { type Environment, InvalidConfiguration, problemsOf, type SettingsClass, settingsOf } from './settings';
import { TOOL_VARIABLES } from './tool-variables';
import { unknownVariables } from './unknown-variables';

/** Every known variable: of any program, since programs may share a file of variables, and of tools. */
const knownNames = (types: readonly SettingsClass[]): ReadonlySet<string> => {
  const ofProgram = types
    .flatMap(settingsOf)
    .flatMap(({ env, secret }) => (secret === true ? [env, `${env}_FILE`] : [env]));
  return new Set([...SETTING_NAMES, ...ofProgram, ...TOOL_VARIABLES]);
};

/** Settings whose default is right on one machine only, and that the environment leaves out. */
const missingChoices = (types: readonly SettingsClass[], environment: Environment): string[] =>
  types.flatMap(settingsOf).flatMap(({ env, explicit }) => {
    if (explicit === undefined || (environment[env] ?? '') !== '') return [];
    return [`${env} must be set, for example ${env}=${explicit}; only npm start chooses it by itself.`];
  });

/**
 * Checks the environment of a program on a server before it starts: known variables, engines that are chosen
 * explicitly, valid values.
 * @throws InvalidConfiguration with every problem at once
 */
export const assertProgramEnvironment = (types: readonly SettingsClass[], environment: Environment): void => {
  const problems = [
    ...missingChoices(types, environment),
    ...problemsOf(types, environment),
    ...unknownVariables(environment, knownNames(types)),
  ];
  if (problems.length > 0) throw new InvalidConfiguration([...new Set(problems)]);
};
