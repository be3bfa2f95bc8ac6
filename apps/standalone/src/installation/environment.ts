import { createHmac } from 'node:crypto';
import {
  CATALOGUE_ROLE,
  databaseVariables,
  DIRECTORY_ROLE,
  type EmbeddedDatabase,
  relayRole,
} from '@acervo/platform-database';
import { failpointOfLife } from '@acervo/platform-messaging';
import type { DataDirectory } from '../resources/data-directory';
import type { ChosenEmbedder } from '../embedder/choice';
import { variablesOf } from '../embedder/endpoint';
import type { EmbedderEnvironment } from '../kernel/options';
import type { StartEnvironment } from '../kernel/options';
import { installedServices } from '../kernel/service-list';

export interface EnvironmentDependencies {
  readonly database: Pick<EmbeddedDatabase, 'connection'>;
  readonly directory: DataDirectory;
  readonly start: StartEnvironment;
  readonly publicPort: number;
  readonly internalUrl: string;
  readonly embedder: ChosenEmbedder;
}

const embedderVariables = (
  { target, before }: ChosenEmbedder,
  environment: EmbedderEnvironment,
): Record<string, string> => ({
  ...environment,
  ...variablesOf(target),
  ...(before === null ? {} : { ACERVO_EMBEDDER_BEFORE: JSON.stringify(before) }),
});

/** Derives the key for a purpose from the one secret of the data directory. */
const derivedKey = ({ keyPepper }: DataDirectory, purpose: string): string =>
  createHmac('sha256', keyPepper).update(purpose).digest('hex');

/** TLS settings of an external database. */
const tlsOf = (server: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    ['ACERVO_DATABASE_TLS', 'ACERVO_DATABASE_CA'].flatMap((name) =>
      server[name] === undefined ? [] : [[name, server[name]]],
    ),
  );

/** The engines of one machine, where no others are chosen: programs on servers have no such defaults. */
const EMBEDDED_ENGINES = { ACERVO_EVENTS: 'embedded', ACERVO_OBJECT_STORE: 'directory' };

const withoutEmpty = (variables: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));

/** All requests share one session of the database; more of them at a time are slower, not more. */
const REQUESTS_AT_ONCE = '4';

/** Requests a minute that one machine carries for its own users; servers have the lower defaults of their settings. */
export const RATES_OF_ONE_MACHINE = {
  ...{ ACERVO_KEY_RATE: '6000', ACERVO_USER_RATE: '12000', ACERVO_ADDRESS_RATE: '12000' },
} as const;

/** The variables that a service reads: secrets and places of one service reach no other one. */
const onlyRead = (service: string, variables: Readonly<Record<string, string>>): Record<string, string> => {
  const { settings = [] } = installedServices.find(({ name }) => name === service) ?? {};
  const read = new Set(settings.map(({ env }) => env));
  // A secret may be the path of a file.
  return Object.fromEntries(Object.entries(variables).filter(([name]) => read.has(name.replace(/_FILE$/u, ''))));
};

/** Environment of one service on this machine, with the same variables as a deployment. */
export const environmentOf = (
  service: string,
  { database, directory, start, publicPort, internalUrl, embedder }: EnvironmentDependencies,
): Record<string, string> => {
  const password = (role: string): string => database.connection(role).password;
  const ofReaders = onlyRead(service, {
    ACERVO_DATABASE_DIRECTORY_PASSWORD: password(DIRECTORY_ROLE),
    ACERVO_DATABASE_CATALOGUE_PASSWORD: password(CATALOGUE_ROLE),
    ACERVO_KEPT_DIRECTORY: directory.path,
    ACERVO_AUDIT_KEY: derivedKey(directory, 'audit'),
    ...start.mail,
    ...start.releases,
    ...withoutEmpty(start.chat),
    ACERVO_OBJECTS_DIRECTORY: directory.objects,
    ACERVO_KEY_PEPPER: directory.keyPepper,
    ACERVO_MAIL_DIRECTORY: directory.mail,
  });
  return {
    ACERVO_REQUESTS_AT_ONCE: REQUESTS_AT_ONCE,
    ...RATES_OF_ONE_MACHINE,
    // This program closes its listener before it stops these processes.
    ACERVO_DRAIN_SECONDS: '0',
    ...start.reading,
    ...EMBEDDED_ENGINES,
    ...withoutEmpty(start.engines),
    ...tlsOf(start.server ?? {}),
    ...databaseVariables((role) => database.connection(role), service),
    ACERVO_DATABASE_RELAY_PASSWORD: password(relayRole(service)),
    ...ofReaders,
    ...embedderVariables(embedder, start.embedder ?? {}),
    ACERVO_CURSOR_KEY: derivedKey(directory, 'cursor'),
    ACERVO_LOG_LEVEL: start.logLevel,
    ACERVO_PUBLIC_URL: `http://localhost:${publicPort}`,
    ACERVO_INTERNAL_URL: internalUrl,
  };
};

/** The failpoint at which a test ends one life of a process. */
export const failpointVariable = (failpoint: string | undefined, service: string, life = 1): Record<string, string> => {
  const failpointOfProcess = failpointOfLife(failpoint, service, life);
  return failpointOfProcess === undefined ? {} : { ACERVO_FAILPOINT: failpointOfProcess };
};
