import { join } from 'node:path';
import { Database, EmbeddedDatabase, ownerRole } from '@acervo/platform-database';

const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Runs statements as the owner of a service's schema, on the database of a stopped program. Each has its own
 * transaction; returns the rows of the last.
 * @param statements `$1` is the first group of the installation
 */
export const asOwner = async (data: string, service: string, statements: readonly string[]): Promise<unknown> => {
  const engine = await EmbeddedDatabase.start({ directory: join(data, 'database'), log: () => undefined });
  const owned = (name: string): Database => new Database({ ...engine.connection(ownerRole(name)), max: 1 });
  const [auth, database] = [owned('auth'), owned(service)];
  try {
    const [group] = await auth.read({ groupId: NOBODY }, (tx) =>
      tx.query<{ group_id: string }>('select group_id from auth.installation'),
    );
    const groupId = group?.group_id ?? '';
    let last: unknown;
    for (const sql of statements) last = await database.write({ groupId }, (tx) => tx.query(sql, [groupId]));
    return last;
  } finally {
    await auth.close();
    await database.close();
    await engine.stop();
  }
};
