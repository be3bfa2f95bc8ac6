import { Database, type DatabaseConnection, type LocalSettings } from '@acervo/platform-database';

/** The tables of one group of an installation, read and changed without their service. */
export class Tables {
  private readonly databases = new Map<string, Database>();

  constructor(
    private readonly connection: (role: string) => DatabaseConnection,
    readonly groupId: string,
  ) {}

  /** Rows of a query as a database role. */
  rows<R extends object>(
    role: string,
    sql: string,
    params: readonly unknown[] = [],
    local: LocalSettings = {},
  ): Promise<R[]> {
    return this.as(role).read(this, (tx) => tx.query<R>(sql, params), local);
  }

  /** Changes tables as a database role; returns the rows. */
  change<R extends object>(role: string, sql: string, params: readonly unknown[] = []): Promise<R[]> {
    return this.as(role).write(this, (tx) => tx.query<R>(sql, params));
  }

  async close(): Promise<void> {
    await Promise.all([...this.databases.values()].map((each) => each.close()));
  }

  /** The database as a role, with one connection: queries wait for each other. */
  private as(role: string): Database {
    const opened = this.databases.get(role);
    if (opened !== undefined) return opened;
    const database = new Database({ ...this.connection(role), max: 1 });
    this.databases.set(role, database);
    return database;
  }
}
