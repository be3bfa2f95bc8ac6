import { Injectable } from '@nestjs/common';
import type { ApplicationItem } from '@acervo/contracts';
import { onlyRow, type Transaction } from '@acervo/platform-database';

/** The applications of the product. */
@Injectable()
export class ApplicationStore {
  list(tx: Transaction): Promise<ApplicationItem[]> {
    return tx.query<ApplicationItem>('select code, name from auth.global_application order by position, code');
  }

  /** @throws NotFound */
  async get(tx: Transaction, code: string): Promise<ApplicationItem> {
    return onlyRow(
      await tx.query<ApplicationItem>(`select code, name from auth.global_application where code = $1`, [code]),
    );
  }
}
