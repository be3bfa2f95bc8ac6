import { Setting } from '@acervo/platform-config';

/** Address of PostgreSQL and how to connect to it. */
export class DatabaseConfig {
  @Setting({ env: 'ACERVO_DATABASE_HOST', default: '127.0.0.1', description: 'Address of PostgreSQL' })
  readonly databaseHost!: string;
  @Setting({ env: 'ACERVO_DATABASE_PORT', default: 5432, min: 1, max: 65_535, description: 'Port of PostgreSQL' })
  readonly databasePort!: number;
  @Setting({ env: 'ACERVO_DATABASE_NAME', default: 'postgres', description: 'Name of the database' })
  readonly databaseName!: string;
  @Setting({
    env: 'ACERVO_DATABASE_TLS',
    default: false,
    description: 'Speak TLS with PostgreSQL and check its certificate; never falls back to plain text',
  })
  readonly databaseTls!: boolean;
  @Setting({
    env: 'ACERVO_DATABASE_CA',
    default: null,
    description: 'File with the authorities that the certificate is checked against, instead of those of Node',
  })
  readonly databaseCa!: string | null;
}
