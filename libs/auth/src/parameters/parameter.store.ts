import type { Transaction } from '@acervo/platform-database';
import { Seal } from '../secrets/seal';

/** The value of a parameter in a group; null for a sealed one. */
export interface KeptValue {
  readonly code: string;
  readonly value: string | null;
  readonly setAt: Date;
}

const rowOf = ({ groupId }: Transaction, code: string): string => `${groupId ?? ''}/${code}`;

/** Values that a group has set. Lists leave sealed values out. */
export class ParameterStore {
  constructor(private readonly seal: Seal) {}

  list(tx: Transaction): Promise<KeptValue[]> {
    return tx.query<KeptValue>(
      `select code, value, updated_at as "setAt" from auth.group_parameter where group_id = $1`,
      [tx.groupId],
    );
  }

  /** A value that is not private; null where the group has set none. */
  async value(tx: Transaction, code: string): Promise<string | null> {
    return (await this.list(tx)).find((each) => each.code === code)?.value ?? null;
  }

  /** A value and a private value of the same moment; each is null where the group has set none. */
  async openPair(
    tx: Transaction,
    code: string,
    privateCode: string,
  ): Promise<{ readonly value: string | null; readonly opened: string | null }> {
    const [row] = await tx.query<{ value: string | null; sealed: Buffer | null }>(
      `select max(value) filter (where code = $2) as value,
         (array_agg(sealed) filter (where code = $3))[1] as sealed
       from auth.group_parameter where group_id = $1`,
      [tx.groupId, code, privateCode],
    );
    const { value = null, sealed = null } = row ?? {};
    return { value, opened: sealed === null ? null : this.seal.open(Buffer.from(sealed), rowOf(tx, privateCode)) };
  }

  async set(tx: Transaction, code: string, value: string, isPrivate: boolean): Promise<void> {
    const sealed = isPrivate ? this.seal.seal(value, rowOf(tx, code)) : null;
    await tx.query(
      `insert into auth.group_parameter (group_id, code, value, sealed) values ($1, $2, $3, $4)
       on conflict (group_id, code) do update set value = excluded.value, sealed = excluded.sealed, updated_at = now()`,
      [tx.groupId, code, isPrivate ? null : value, sealed],
    );
  }

  async unset(tx: Transaction, code: string): Promise<void> {
    await tx.query(`delete from auth.group_parameter where group_id = $1 and code = $2`, [tx.groupId, code]);
  }
}
