import type { EmbedderEnvironment } from './embedder/endpoint';

/** What a start was asked for; read and checked by the script that starts this program. */
export interface StartOptions {
  /** The folder to take in; null goes on with those that are known, or with the sample. */
  readonly folder: string | null;
  readonly sample: string;
  readonly data: string;
  readonly port: number;
  readonly processes: boolean;
  readonly newKey: boolean;
  readonly scanOnly: boolean;
  /** The embedder to use from now on; the recorded one without it. */
  readonly embedder?: string | null;
}

/** The settings of the environment that this program knows. */
export interface StartEnvironment {
  readonly administrator: string;
  readonly logLevel: string;
  readonly failpoint: string | undefined;
  /** `ACERVO_EMBEDDER` and all that begin with it. */
  readonly embedder?: EmbedderEnvironment;
}

const embedderSettings = (environment: Readonly<Record<string, string | undefined>>): EmbedderEnvironment =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[0].startsWith('ACERVO_EMBEDDER') && entry[1] !== undefined && entry[1] !== '',
    ),
  );

export const startEnvironment = (environment: Readonly<Record<string, string | undefined>>): StartEnvironment => ({
  administrator: environment['ACERVO_ADMIN_EMAIL'] ?? 'admin@acervo.local',
  logLevel: environment['ACERVO_LOG_LEVEL'] ?? 'info',
  failpoint: environment['ACERVO_FAILPOINT'],
  embedder: embedderSettings(environment),
});
