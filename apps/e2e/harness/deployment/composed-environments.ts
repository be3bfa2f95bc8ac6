import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProgramName, programs } from '@acervo/contracts';
import type { DatabaseConnection } from '@acervo/platform-database';
import { stackKafkaPassword, stackPassword, stackVariable, WITHOUT_LIMITS } from '@acervo/platform-testing';
import { stackEnvironment } from '../on-stack';
import { repository } from '../program';
import { type ComposedProgram, composedPrograms } from './compose-file';

export type Service = ProgramName;
/** In the order of a first deployment. */
export const SERVICES: readonly Service[] = programs.map(({ name }) => name);

export type Environment = Readonly<Record<string, string>>;

/** Paths in the containers of compose that are elsewhere in these suites. */
const PLACES = { secrets: '/run/secrets', documents: '/documents' } as const;

/** Secrets that the deployment generates. */
const GENERATED = ['key_pepper', 'cursor_key', 'audit_key'];

/** Keys of events, by service; made once for all deployments of a suite. */
const eventKeys = new Map<string, KeyPairKeyObjectResult>();

const eventKeyOf = (service: string): KeyPairKeyObjectResult => {
  const pair = eventKeys.get(service) ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  eventKeys.set(service, pair);
  return pair;
};

const publicEventKeys = (): string =>
  SERVICES.map((service) => {
    const der = eventKeyOf(service).publicKey.export({ type: 'spki', format: 'der' });
    return `${service} ${der.toString('base64')}\n`;
  }).join('');

const redis = (): URL => new URL(stackVariable('ACERVO_REDIS_URL'));

/** Whether a secret is the password of a role of the database, which it is named like. */
export const isPasswordOfRole = (name: string): boolean =>
  /_(owner|app|reconciler|relay)$|^(relay|queue|auth_directory|auth_catalogue)$/.test(name);

/** The value of a secret on the running stack; empty for optional secrets. */
const secretOf = (name: string): string => {
  if (GENERATED.includes(name)) return `the ${name} of a deployment`;
  if (name === 'postgres') return stackVariable('ACERVO_DATABASE_ADMIN_PASSWORD');
  if (name === 'redis') return redis().password;
  if (name === 'kafka') return stackVariable('ACERVO_KAFKA_PASSWORD');
  if (name.startsWith('kafka_')) return stackKafkaPassword(name.slice('kafka_'.length));
  if (name === 'event_keys') return publicEventKeys();
  if (name.endsWith('_event_key'))
    return String(eventKeyOf(name.slice(0, -'_event_key'.length)).privateKey.export({ type: 'pkcs8', format: 'pem' }));
  if (name === 'opensearch') return stackVariable('ACERVO_OPENSEARCH_PASSWORD');
  if (name === 'tls_ca') return readFileSync(stackVariable('ACERVO_KAFKA_CA'), 'utf8');
  if (name === 's3_access_key') return stackVariable('ACERVO_S3_ACCESS_KEY');
  if (name === 's3_secret_key') return stackVariable('ACERVO_S3_SECRET_KEY');
  return isPasswordOfRole(name) ? stackPassword(name) : '';
};

/** The variables that an operator sets for the compose file. */
const variables = (): Environment => ({
  ACERVO_POSTGRES_PASSWORD: secretOf('postgres'),
  ACERVO_REDIS_PASSWORD: secretOf('redis'),
  ACERVO_S3_ACCESS_KEY: secretOf('s3_access_key'),
  ACERVO_S3_SECRET_KEY: secretOf('s3_secret_key'),
  ...Object.fromEntries(['POSTGRES', 'KAFKA', 'OPENSEARCH', 'REDIS', 'S3'].map((name) => [`ACERVO_${name}_PORT`, '1'])),
});

/** Addresses of the stack for the host names of the compose network. */
const addresses = (): Environment => ({
  ACERVO_DATABASE_HOST: stackVariable('ACERVO_DATABASE_HOST'),
  ACERVO_KAFKA_BROKERS: stackVariable('ACERVO_KAFKA_BROKERS'),
  ACERVO_REDIS_URL: `redis://${redis().host}`,
  ACERVO_S3_ENDPOINT: stackVariable('ACERVO_S3_ENDPOINT'),
  ACERVO_OPENSEARCH_URL: stackVariable('ACERVO_OPENSEARCH_URL'),
});

/** Names that separate this deployment from other suites on the same engines. */
const ownNames = async (place: string): Promise<Environment> => {
  const named = await stackEnvironment(place);
  const ownNamespaces = Object.entries(named).filter(([name]) =>
    /_(DATABASE_NAME|PREFIX|PARTITIONS|BUCKET|REGION)$/.test(name),
  );
  return { ...Object.fromEntries(ownNamespaces), ACERVO_DATABASE_PORT: stackVariable('ACERVO_DATABASE_PORT') };
};

/** The environments of `docker/compose.yaml` on the running stack: each program with exactly its settings and secrets. */
export class ComposedEnvironments {
  private constructor(
    private readonly place: string,
    private readonly documents: string,
    private readonly programs: ReadonlyMap<string, ComposedProgram>,
    private readonly named: Environment,
  ) {}

  /** @param documents the folder that ingestion sees as `/documents` */
  static async make(place: string, documents: string): Promise<ComposedEnvironments> {
    const made = new ComposedEnvironments(place, documents, composedPrograms(variables()), await ownNames(place));
    for (const [name, { secrets }] of made.programs) {
      mkdirSync(join(place, name, 'secrets'), { recursive: true });
      for (const secret of secrets) writeFileSync(join(place, name, 'secrets', secret), secretOf(secret));
    }
    return made;
  }

  /** @throws for a program that the compose file does not have */
  programOf(name: string): ComposedProgram {
    const program = this.programs.get(name);
    if (program === undefined) throw new Error(`The compose file has no program ${name}.`);
    return program;
  }

  /** Where the owner of a service's schema logs in. */
  ownerOf(service: Service): DatabaseConnection {
    const user = `${service}_owner`;
    return {
      host: stackVariable('ACERVO_DATABASE_HOST'),
      port: Number(stackVariable('ACERVO_DATABASE_PORT')),
      database: this.named['ACERVO_DATABASE_NAME'] ?? '',
      ...{ user, password: stackPassword(user) },
    };
  }

  /** The main file of a program. */
  entryOf(name: string): string {
    return join(repository, 'apps', this.programOf(name).app, 'dist', 'main.js');
  }

  /** Exactly the environment of the compose file, with the paths and addresses of this stack. */
  environmentOf(name: Service | 'migrate', more: Environment): Record<string, string> {
    const { environment } = this.programOf(name);
    const found = addresses();
    const here = (value: string): string =>
      value.replace(PLACES.secrets, join(this.place, name, 'secrets')).replace(PLACES.documents, this.documents);
    const settings = Object.entries(environment).map(([key, value]) => [key, found[key] ?? here(value)] as const);
    return {
      PATH: process.env['PATH'] ?? '',
      ...WITHOUT_LIMITS,
      ...Object.fromEntries(settings),
      ...this.named,
      ACERVO_LOG_LEVEL: 'warn',
      ...more,
    };
  }
}
