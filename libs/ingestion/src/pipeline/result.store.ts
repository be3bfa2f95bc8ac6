import type { Database, TenantScope, Transaction } from '@acervo/platform-database';

/** A result, and the way to remember it in the transaction that uses it. */
export interface Reusable<V extends object> {
  readonly value: V;
  keep(tx: Transaction): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

/** What steps made before, by group, stage and key. Nothing is ever reused across groups. */
export class ResultStore {
  private readonly making = new Map<string, Promise<object>>();

  constructor(private readonly database: Database) {}

  /** The result of an earlier step with this key, or of one that is at work on it here, else a new one. */
  async reuse<V extends object>(
    scope: TenantScope,
    stage: string,
    key: string,
    make: () => Promise<V>,
  ): Promise<Reusable<V>> {
    const known = await this.find<V>(scope, stage, key);
    if (known !== undefined) return { value: known, keep: nothing };
    const value = await this.makeOnce(`${scope.groupId}/${stage}/${key}`, make);
    return { value, keep: (tx) => this.keep(tx, stage, key, value) };
  }

  private async makeOnce<V extends object>(name: string, make: () => Promise<V>): Promise<V> {
    const other = this.making.get(name) as Promise<V> | undefined;
    if (other !== undefined) return other;
    const made = make();
    this.making.set(name, made);
    try {
      return await made;
    } finally {
      this.making.delete(name);
    }
  }

  private find<V extends object>(scope: TenantScope, stage: string, key: string): Promise<V | undefined> {
    return this.database.read(scope, async (tx) => {
      const [row] = await tx.query<{ value: V }>(
        `select value from ingestion.step_result where group_id = $1 and stage = $2 and key = $3`,
        [scope.groupId, stage, key],
      );
      return row?.value;
    });
  }

  private async keep(tx: Transaction, stage: string, key: string, value: object): Promise<void> {
    await tx.query(
      `insert into ingestion.step_result (group_id, stage, key, value) values ($1, $2, $3, $4::jsonb) on conflict do nothing`,
      [tx.groupId, stage, key, JSON.stringify(value)],
    );
  }
}
