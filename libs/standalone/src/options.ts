import type { EmbedderEnvironment } from './embedder/endpoint';

/** What a start was asked for; read and checked by the script that starts this program. */
export interface StartOptions {
  /** The folder to take in; null goes on with those that are known, or with the sample. */
  readonly folder: string | null;
  readonly sample: string;
  readonly data: string;
  readonly port: number;
  /** Whether that port was asked for. */
  readonly portNamed?: boolean;
  readonly processes: boolean;
  readonly newKey: boolean;
  /** Print a fresh link with which the administrator sets a password. */
  readonly adminLink?: boolean;
  /** Address of a person who shall run the installation. */
  readonly systemUser?: string | null;
  readonly scanOnly: boolean;
  /** Tell how far the documents are, and do nothing else. */
  readonly status: boolean;
  readonly retryFailed: boolean;
  /** Handle events again that were laid aside because they failed too often. */
  readonly replayDead?: boolean;
  /** Believe that documents are gone, even when most are gone at once. */
  readonly acceptDeletions: boolean;
  /** Where to write what the folders do not hold; nothing else is done then. */
  readonly exportTo?: string | null;
  /** An export to begin a new data directory with. */
  readonly importFrom?: string | null;
  /** Derive the indexes again from the objects that are kept. */
  readonly rebuild?: boolean;
  /** Walk the chain of audit records; nothing else is done then. */
  readonly verifyAudit?: boolean;
  /** Lines alone, on a terminal too. */
  readonly plain?: boolean;
  /** The embedder to use from now on; the recorded one without it. */
  readonly embedder?: string | null;
}

/** Whether a start answers something and ends: it serves nobody, and takes nothing in. */
export const isBrief = ({ status, exportTo, verifyAudit }: StartOptions): boolean =>
  status || verifyAudit === true || typeof exportTo === 'string';

/** What the services of a start get: nothing is scanned by itself where nobody watches folders either. */
export const environmentFor = (options: StartOptions, environment: StartEnvironment): StartEnvironment =>
  isBrief(options) || options.scanOnly
    ? { ...environment, reading: { ...environment.reading, ACERVO_RESCAN_SECONDS: '0' } }
    : environment;

/** The settings of the environment that this program knows. */
export interface StartEnvironment {
  readonly administrator: string;
  /** Password that a first start gives the administrator. */
  readonly administratorPassword: string | undefined;
  /** Settings of the mail server, passed on as they are. */
  readonly mail: Readonly<Record<string, string>>;
  readonly logLevel: string;
  /** Processes of each service, where each has its own. */
  readonly replicas?: number;
  readonly failpoint: string | undefined;
  /** Which folders groups may add, how files are read and how much at once: passed on to the services as it is. */
  readonly reading?: Readonly<Record<string, string>>;
  /** Engines that are chosen instead of the embedded ones, and how they are reached: passed on as it is. */
  readonly engines?: Readonly<Record<string, string>>;
  /** A PostgreSQL server instead of the embedded one, with a role that may make it ready. */
  readonly server?: Readonly<Record<string, string>>;
  /** `ACERVO_EMBEDDER` and all that begin with it. */
  readonly embedder?: EmbedderEnvironment;
}

const MAIL = ['ACERVO_SMTP_URL', 'ACERVO_MAIL_FROM'];

const READING = [
  ...['ACERVO_FOLDER_ROOTS', 'ACERVO_RESCAN_SECONDS', 'ACERVO_LARGEST_FILE_MB', 'ACERVO_LANGUAGES'],
  ...['ACERVO_EXTRACTION_', 'ACERVO_OCR', 'ACERVO_UNSTRUCTURED_'],
];

/** How much is done at once, and how often what nobody asks for. */
const WORK = [
  ...['ACERVO_CPU_THREADS', 'ACERVO_STAGE_CONCURRENCY', 'ACERVO_DATABASE_POOL'],
  ...['ACERVO_RECONCILE_', 'ACERVO_OBJECT_GRACE_HOURS'],
];

/** Choices of an engine, and the names that tell how one is reached. */
const ENGINES = [
  ...['ACERVO_LEXICAL', 'ACERVO_OPENSEARCH_', 'ACERVO_OBJECT_STORE', 'ACERVO_S3_'],
  ...['ACERVO_QUEUE', 'ACERVO_COUNTERS', 'ACERVO_REDIS_', 'ACERVO_EVENTS', 'ACERVO_KAFKA_'],
  ...['ACERVO_OTLP_', 'ACERVO_TRACE_'],
];
const SERVER = ['ACERVO_DATABASE_'];

const thoseOf = (
  environment: Readonly<Record<string, string | undefined>>,
  prefixes: readonly string[],
): Record<string, string> => {
  const chosen = Object.entries(environment).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(chosen.map(([name, value]) => [name, value ?? '']));
};

const embedderSettings = (environment: Readonly<Record<string, string | undefined>>): EmbedderEnvironment =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[0].startsWith('ACERVO_EMBEDDER') && entry[1] !== undefined && entry[1] !== '',
    ),
  );

export const startEnvironment = (environment: Readonly<Record<string, string | undefined>>): StartEnvironment => ({
  administrator: environment['ACERVO_ADMIN_EMAIL'] ?? 'admin@acervo.local',
  administratorPassword: environment['ACERVO_ADMIN_PASSWORD'],
  mail: Object.fromEntries(
    MAIL.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  ),
  logLevel: environment['ACERVO_LOG_LEVEL'] ?? 'info',
  replicas: Math.max(1, Number(environment['ACERVO_REPLICAS'] ?? 1) || 1),
  failpoint: environment['ACERVO_FAILPOINT'],
  reading: thoseOf(environment, [...READING, ...WORK]),
  engines: thoseOf(environment, ENGINES),
  server: thoseOf(environment, SERVER),
  embedder: embedderSettings(environment),
});
