import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { Edge, KnownEdges } from './edges';

/** The result of an update of edges. */
export interface EdgeChange {
  readonly added: number;
  readonly removed: number;
}

/** Which operations functions use, as of the last update. */
@Injectable()
export class EdgeStore {
  /** Every function with its edges. */
  async all(tx: Transaction): Promise<readonly KnownEdges[]> {
    return tx.query<KnownEdges>(
      `select f.code as "functionCode", case when f.edges_at is null then null else
         array(select a.api_code from auth.global_function_api a where a.function_code = f.code order by a.api_code)
         end as "apiCodes"
       from auth.global_function f order by f.code`,
    );
  }

  async of(tx: Transaction, functionCode: string): Promise<KnownEdges | undefined> {
    return (await this.all(tx)).find((edge) => edge.functionCode === functionCode);
  }

  /** Makes the edges of the named functions exactly these. */
  async replace(tx: Transaction, functionCodes: readonly string[], edges: readonly Edge[]): Promise<EdgeChange> {
    const columns = [edges.map(({ functionCode }) => functionCode), edges.map(({ apiCode }) => apiCode)];
    const removed = await tx.query(
      `delete from auth.global_function_api a where a.function_code = any($1::text[])
         and not exists (select from unnest($2::text[], $3::text[]) as e (function_code, api_code)
           where e.function_code = a.function_code and e.api_code = a.api_code)
       returning a.api_code`,
      [functionCodes, ...columns],
    );
    const added = await tx.query(
      `insert into auth.global_function_api (function_code, api_code) select * from unnest($1::text[], $2::text[])
       on conflict do nothing returning api_code`,
      columns,
    );
    await tx.query(`update auth.global_function set edges_at = now() where code = any($1::text[])`, [functionCodes]);
    return { added: added.length, removed: removed.length };
  }
}
