import { Setting } from '@acervo/platform-config';

/** The logins of a service at PostgreSQL, and how many connections its requests share. */
export class RolesConfig {
  @Setting({
    env: 'ACERVO_DATABASE_APP_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that the service works as',
  })
  readonly appPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_OWNER_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that owns the schema; used to make partitions',
  })
  readonly ownerPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_RECONCILER_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that looks for waiting work',
  })
  readonly reconcilerPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_QUEUE_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role of the job tables',
  })
  readonly queuePassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_POOL',
    default: 8,
    min: 1,
    max: 100,
    description:
      'Connections for requests, of which one group gets at most half while others wait; consumers and stages have some of their own',
  })
  readonly databasePool!: number;
  @Setting({
    env: 'ACERVO_DATABASE_WAITING',
    default: 256,
    min: 0,
    max: 100_000,
    description: 'Transactions of requests that may wait for a connection; further ones get 503',
  })
  readonly databaseWaiting!: number;
}
