import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import type { DatabaseConnection } from '@acervo/platform-database';
import { DatabaseConfig } from './database-config';

/** Where a role logs in. */
export const connectionOf = (config: DatabaseConfig, user: string, password: string): DatabaseConnection => ({
  host: config.databaseHost,
  port: config.databasePort,
  database: config.databaseName,
  user,
  password,
  ...(config.databaseTls
    ? { tls: config.databaseCa === null ? {} : { ca: readFileSync(config.databaseCa, 'utf8') } }
    : {}),
});

/** Connections of the roles of an application, for pools beside those that every service has. */
@Injectable()
export class DatabaseLogins {
  constructor(private readonly config: DatabaseConfig) {}

  connection(user: string, password: string): DatabaseConnection {
    return connectionOf(this.config, user, password);
  }
}
