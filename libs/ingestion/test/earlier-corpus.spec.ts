import { randomUUID } from 'node:crypto';
import { ownerRole, runMigrations } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase } from '@acervo/platform-testing';
import { ingestionMigrations } from '../src';
import { corpusMigrations } from '../src/corpus/corpus.migrations';
import { CorpusStore } from '../src/corpus/corpus.store';

/** Documents by name: state, pages, and whether retrieval has them. */
const BEFORE = {
  'indexed.pdf': ['VECTORIZADO', 5, 3],
  'revised.pdf': ['DETECTADO', 4, 2],
  'new.pdf': ['RESUMIDO', 7, null],
  'missing.pdf': ['NO_ENCONTRADO', 9, null],
} as const;

describe('an installation that is older than counted pages', () => {
  it('an upgrade counts indexed documents, and goes on from there', async () => {
    const before = ingestionMigrations.filter((migration) => !corpusMigrations.includes(migration));
    const server = await openTestDatabase({ ingestion: migrationsOf('ingestion', before) }, { isolated: true });
    try {
      const [database, groupId, store] = [server.database('ingestion'), randomUUID(), new CorpusStore()];
      const sql = (text: string, ...more: readonly unknown[]): Promise<object[]> =>
        database.write({ groupId }, (tx) => tx.query(text, [groupId, ...more]));
      await sql(`insert into ingestion.location (group_id, code, root_code, name, relative_path, root_path, device, inode,
        entity_code, location_ancestors) values ($1, 'L1', 'L1', 'L', '', '/l', '1', '1', 'E1', '{L1}')`);
      for (const [name, [status, pages, handedOver]] of Object.entries(BEFORE))
        await sql(
          `insert into ingestion.document (group_id, code, location_code, root_code, location_ancestors, entity_code,
             name, relative_path, path, size, mtime, settings_hash, status, pages, handed_over)
           values ($1, $2, 'L1', 'L1', '{L1}', 'E1', $2, $2, $2, 1, '1', 'x', $3, $4, $5)`,
          ...[name, status, pages, handedOver],
        );
      await runMigrations(
        server.connection(ownerRole('ingestion')),
        'ingestion',
        migrationsOf('ingestion', ingestionMigrations),
      );
      const used = async (): Promise<number[]> => {
        const corpus = await database.read({ groupId }, (tx) => store.find(tx));
        return [corpus?.used ?? -1, corpus?.byEntity.get('E1') ?? -1];
      };
      expect(await used()).toEqual([9, 9]);
      await sql(`update ingestion.document set pages = null where group_id = $1 and name = 'revised.pdf'`);
      expect(await used()).toEqual([9, 9]);
      await sql(`update ingestion.document set pages = 6 where group_id = $1 and name = 'revised.pdf'`);
      expect(await used()).toEqual([11, 11]);
      await sql(`update ingestion.document set deleted_at = now() where group_id = $1 and name = 'indexed.pdf'`);
      expect(await used()).toEqual([6, 6]);
      // A program of the last release indexes a document.
      await sql(`update ingestion.document set status = 'FRAGMENTADO' where group_id = $1 and name = 'new.pdf'`);
      expect(await used()).toEqual([13, 13]);
      expect(await database.write({ groupId }, (tx) => store.recount(tx))).toBe(0);
    } finally {
      await server.close();
    }
  });
});
