import { type AdminCommandRequest, offerOf } from '@acervo/platform-service/admin-commands';

/** The environment variables of the embedder: `ACERVO_EMBEDDER` and all that begin with it. */
export type EmbedderEnvironment = Readonly<Record<string, string>>;

/** The options of a start; the script that starts this program reads and checks them. */
export interface StartOptions {
  /** The folder to ingest; null continues with the recorded folders, or with the sample. */
  readonly folder: string | null;
  readonly sample: string;
  readonly data: string;
  readonly port: number;
  /** Whether the user named the port. */
  readonly portNamed?: boolean;
  readonly processes: boolean;
  /** The admin commands that this start executes. */
  readonly commands?: readonly AdminCommandRequest[];
  readonly scanOnly: boolean;
  /** Accept that documents are gone, even when most are gone at once. */
  readonly acceptDeletions: boolean;
  /** Path of an export that a new data directory begins with. */
  readonly importFrom?: string | null;
  /** Path of a backup that a new data directory is made from. */
  readonly restoreFrom?: string | null;
  /** Encrypts a backup and opens an encrypted one; from the environment, never from arguments. */
  readonly passphrase?: string | undefined;
  /** The API key whose owner asks with `--explain`; from the environment, never from arguments. */
  readonly key?: string | undefined;
  /** Print lines without a bar, on a terminal too. */
  readonly plain?: boolean;
  /** The embedder to use from now on; the recorded one without it. */
  readonly embedder?: string | null;
}

/** Whether a start executes its commands and ends: it serves no clients and ingests nothing. */
export const isBrief = ({ commands = [] }: Pick<StartOptions, 'commands'>): boolean =>
  commands.some((request) => offerOf(request)?.isBrief === true);

/** Environment of the services: a start that does not watch folders schedules no rescans and refreshes either. */
export const environmentFor = (options: StartOptions, environment: StartEnvironment): StartEnvironment =>
  isBrief(options) || options.scanOnly
    ? { ...environment, reading: { ...environment.reading, ...NO_REPETITION } }
    : environment;

const NO_REPETITION = { ACERVO_RESCAN_SECONDS: '0', ACERVO_WEB_REFRESH_SECONDS: '0' } as const;

/** The environment variables that this program reads. */
export interface StartEnvironment {
  readonly administrator: string;
  /** Password of the administrator, set at the first start. */
  readonly administratorPassword: string | undefined;
  /** Settings of the mail server, passed on unchanged. */
  readonly mail: Readonly<Record<string, string>>;
  /** Who may publish releases, passed on to the gateway alone. */
  readonly releases?: Readonly<Record<string, string>>;
  readonly logLevel: string;
  /** Processes per service, if services run in their own processes. */
  readonly replicas?: number;
  readonly failpoint: string | undefined;
  /** Permitted folders, extraction and concurrency: passed on to the services unchanged. */
  readonly reading?: Readonly<Record<string, string>>;
  /** Engines that replace the embedded ones, with their addresses: passed on unchanged. */
  readonly engines?: Readonly<Record<string, string>>;
  /** A PostgreSQL server that replaces the embedded one, with a role that may prepare it. */
  readonly server?: Readonly<Record<string, string>>;
  /** `ACERVO_EMBEDDER` and all that begin with it. */
  readonly embedder?: EmbedderEnvironment;
  /** The chat model and the limits of agents, passed on to the service that answers questions alone. */
  readonly chat?: Readonly<Record<string, string>>;
}

/** Whether the environment names a PostgreSQL server that this program may prepare, instead of the embedded one. */
export const isExternal = ({ server = {} }: StartEnvironment): boolean =>
  (server['ACERVO_DATABASE_ADMIN_USER'] ?? '') !== '';

const MAIL = ['ACERVO_SMTP_URL', 'ACERVO_MAIL_FROM'];
const RELEASES = ['ACERVO_RELEASE_TOKEN'];

const READING = [
  'ACERVO_FOLDER_ROOTS',
  'ACERVO_RESCAN_SECONDS',
  'ACERVO_LARGEST_FILE_MB',
  'ACERVO_FILE_ACCESS_SECONDS',
  'ACERVO_LANGUAGES',
  'ACERVO_EXTRACTION_',
  'ACERVO_OCR',
  'ACERVO_UNSTRUCTURED_',
  'ACERVO_WEB_',
  'ACERVO_EGRESS_',
];

/** Concurrency of work, the schedule of background work, and limits of requests. */
const WORK = [
  'ACERVO_CPU_THREADS',
  'ACERVO_STAGE_CONCURRENCY',
  'ACERVO_DATABASE_POOL',
  'ACERVO_RECONCILE_',
  'ACERVO_OBJECT_GRACE_HOURS',
  'ACERVO_AUDIT_ANCHOR_SECONDS',
  'ACERVO_ADDRESS_RATE',
  'ACERVO_KEY_RATE',
  'ACERVO_USER_RATE',
  'ACERVO_RATE_',
  'ACERVO_REQUESTS_',
  'ACERVO_DATABASE_WAITING',
  'ACERVO_QUERIES_WAITING',
  'ACERVO_TRUSTED_PROXIES',
  'ACERVO_CONNECTIONS',
  'ACERVO_REGISTRATION',
  'ACERVO_SPACES_',
];

/** Choices of engines, and their addresses. */
const ENGINES = [
  'ACERVO_LEXICAL',
  'ACERVO_OPENSEARCH_',
  'ACERVO_OBJECT_STORE',
  'ACERVO_S3_',
  'ACERVO_QUEUE',
  'ACERVO_COUNTERS',
  'ACERVO_REDIS_',
  'ACERVO_EVENTS',
  'ACERVO_KAFKA_',
  'ACERVO_OTLP_',
  'ACERVO_TRACE_',
];
const SERVER = ['ACERVO_DATABASE_'];
const CHAT = ['ACERVO_CHAT_', 'ACERVO_AGENT_'];

const thoseOf = (
  environment: Readonly<Record<string, string | undefined>>,
  prefixes: readonly string[],
): Record<string, string> => {
  const chosen = Object.entries(environment).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(chosen.map(([name, value]) => [name, value ?? '']));
};

/** Sites on this machine are open to tests alone: a service checks that it runs in one. */
const modeOf = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  environment['ACERVO_EGRESS_LOOPBACK'] === undefined ? {} : thoseOf(environment, ['NODE_ENV']);

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
  releases: thoseOf(environment, RELEASES),
  reading: { ...thoseOf(environment, [...READING, ...WORK]), ...modeOf(environment) },
  engines: thoseOf(environment, ENGINES),
  server: thoseOf(environment, SERVER),
  embedder: embedderSettings(environment),
  chat: thoseOf(environment, CHAT),
});
