import { Setting } from '@acervo/platform-config';
import { DatabaseConfig } from './database-config';

/** What the program that brings schemas up to date needs. */
export class MigrateConfig extends DatabaseConfig {
  @Setting({
    env: 'ACERVO_DATABASE_PASSWORDS',
    default: null,
    description: 'Directory with one file for each role, named like the role, that holds its password',
  })
  readonly passwords!: string | null;
  @Setting({
    env: 'ACERVO_DATABASE_ADMIN_USER',
    default: null,
    description: 'Role that may make roles and extensions; without it the database must have been made ready before',
  })
  readonly adminUser!: string | null;
  @Setting({ env: 'ACERVO_DATABASE_ADMIN_PASSWORD', default: '', secret: true, description: 'Password of that role' })
  readonly adminPassword!: string;
}
