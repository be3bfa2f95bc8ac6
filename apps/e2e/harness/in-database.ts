import { join } from 'node:path';
import { Database, EmbeddedDatabase, ownerRole } from '@acervo/platform-database';

const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Runs statements as the owners of their services' schemas, on the database of a stopped program. Each has its own
 * transaction; returns the rows of each.
 * @param statements service and statement; `$1` is the first group of the installation
 */
export const asOwners = async (
  data: string,
  statements: readonly (readonly [service: string, sql: string])[],
): Promise<unknown[]> => {
  const engine = await EmbeddedDatabase.start({ directory: join(data, 'database'), log: () => undefined });
  const databases = new Map<string, Database>();
  const owned = (service: string): Database => {
    const database = databases.get(service) ?? new Database({ ...engine.connection(ownerRole(service)), max: 1 });
    databases.set(service, database);
    return database;
  };
  try {
    const [group] = await owned('auth').read({ groupId: NOBODY }, (tx) =>
      tx.query<{ group_id: string }>('select group_id from auth.installation'),
    );
    const groupId = group?.group_id ?? '';
    const rows: unknown[] = [];
    for (const [service, sql] of statements)
      rows.push(await owned(service).write({ groupId }, (tx) => tx.query(sql, [groupId])));
    return rows;
  } finally {
    for (const database of databases.values()) await database.close();
    await engine.stop();
  }
};

/** Runs statements as the owner of one service's schema, as {@link asOwners}; returns the rows of the last. */
export const asOwner = async (data: string, service: string, statements: readonly string[]): Promise<unknown> =>
  (
    await asOwners(
      data,
      statements.map((sql) => [service, sql] as const),
    )
  ).at(-1);
