import { Injectable } from '@nestjs/common';
import { onlyRow, type Transaction } from '@acervo/platform-database';
import type { TreeNode } from '../function-views/view-check';

export interface ViewTimes {
  readonly generatedAt: Date;
  readonly syncedAt: Date | null;
}

export interface ViewRow extends ViewTimes {
  readonly tree: TreeNode;
}

const TIMES = 'generated_at as "generatedAt", synced_at as "syncedAt"';

/** Views of functions, as parse trees. Written by the login of the catalogue alone. */
@Injectable()
export class ViewStore {
  async find(tx: Transaction, functionCode: string): Promise<ViewRow | undefined> {
    const sql = `select tree, ${TIMES} from auth.global_function_view where function_code = $1`;
    return (await tx.query<ViewRow>(sql, [functionCode]))[0];
  }

  /** Replaces the view of a function; it counts as applied once it is synchronised. */
  async save(tx: Transaction, functionCode: string, tree: TreeNode): Promise<ViewTimes> {
    const saved = await tx.query<ViewTimes>(
      `insert into auth.global_function_view (function_code, tree) values ($1, $2::jsonb)
       on conflict (function_code) do update set tree = excluded.tree, generated_at = now(), synced_at = null
       returning ${TIMES}`,
      [functionCode, JSON.stringify(tree)],
    );
    return onlyRow(saved);
  }

  /** Dates a view; undefined where another one was generated meanwhile. */
  async date(tx: Transaction, functionCode: string, tree: TreeNode): Promise<ViewTimes | undefined> {
    const dated = await tx.query<ViewTimes>(
      `update auth.global_function_view set synced_at = now() where function_code = $1 and tree = $2::jsonb returning ${TIMES}`,
      [functionCode, JSON.stringify(tree)],
    );
    return dated[0];
  }
}
