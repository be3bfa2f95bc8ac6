import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { EarlierVectorsStore } from '../embedding/earlier-vectors.store';
import { type Discards, OBJECT_COLUMNS, type Released } from './discards';
import { madeColumns } from './reversal';

/** How long the work of a document is kept whose file is missing: shares come back, and cost nothing then. */
const KEPT = '30 days';
/** Documents that one transaction releases. */
const BATCH = 20;

const values = (row: string): string => `array[${OBJECT_COLUMNS.map((column) => `${row}.${column}`).join(', ')}]`;

/** A file that went between its change and the next reading has left nothing but what it was embedded to before. */
const HOLDS = `num_nonnulls(${OBJECT_COLUMNS.map((column) => `m.${column}`).join(', ')}) > 0
  or exists (select from ingestion.earlier_vectors e where e.group_id = $1 and e.document_id = m.document_id)`;

/**
 * Lets go of what was made of documents whose file has been missing for long. Each keeps its code and its place: a file
 * that comes back there is read anew, and one that comes up elsewhere is a new document.
 */
export class LongMissing {
  constructor(
    private readonly database: Database,
    private readonly discards: Discards,
    private readonly earlier: EarlierVectorsStore,
  ) {}

  /** Told after each batch that it goes on; answers how many documents that were. */
  async release(scope: TenantScope, alive: () => Promise<void>): Promise<number> {
    let released = 0;
    for (let batch = BATCH; batch === BATCH; released += batch) {
      batch = await this.database.write(scope, (tx) => this.releaseSome(tx));
      await alive();
    }
    return released;
  }

  private async releaseSome(tx: Transaction): Promise<number> {
    const rows = await tx.query<Released & { readonly id: string }>(
      `update ingestion.document d set generation = d.generation + 1, revision = d.revision + 1, updated_at = now(),
         ${madeColumns.map((column) => `${column} = null`).join(', ')}
       from (select document_id from ingestion.document m
         where m.group_id = $1 and m.status = 'NO_ENCONTRADO' and m.updated_at < now() - interval '${KEPT}'
           and m.deleted_at is null and (${HOLDS})
         order by m.document_id limit ${BATCH} for update) long
       where d.group_id = $1 and d.document_id = long.document_id
       returning d.document_id as id, old.content_hash as "contentHash", ${values('old')} as objects`,
      [tx.groupId],
    );
    const ids = rows.map(({ id }) => id);
    await this.discards.replaceAll(tx, await this.earlier.forget(tx, ids));
    await this.discards.release(tx, rows, null);
    return rows.length;
  }
}
