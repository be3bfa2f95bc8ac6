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
  /** Tell how far the documents are, and do nothing else. */
  readonly status: boolean;
  readonly retryFailed: boolean;
  /** Believe that documents are gone, even when most are gone at once. */
  readonly acceptDeletions: boolean;
}

/** The settings of the environment that this program knows. */
export interface StartEnvironment {
  readonly administrator: string;
  readonly logLevel: string;
  readonly failpoint: string | undefined;
  /** How files are read: passed on to the services as it is. */
  readonly reading?: Readonly<Record<string, string>>;
}

const READING = ['ACERVO_EXTRACTION_', 'ACERVO_OCR', 'ACERVO_UNSTRUCTURED_'];

const readingOf = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const chosen = Object.entries(environment).filter(([name]) => READING.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(chosen.map(([name, value]) => [name, value ?? '']));
};

export const startEnvironment = (environment: Readonly<Record<string, string | undefined>>): StartEnvironment => ({
  administrator: environment['ACERVO_ADMIN_EMAIL'] ?? 'admin@acervo.local',
  logLevel: environment['ACERVO_LOG_LEVEL'] ?? 'info',
  failpoint: environment['ACERVO_FAILPOINT'],
  reading: readingOf(environment),
});
