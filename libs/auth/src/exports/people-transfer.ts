import { Injectable } from '@nestjs/common';
import { type Row, type Transaction, Transfer } from '@acervo/platform-database';
import { peopleTables, storedForm } from './tables';

/** People of a group, to and from another installation. */
@Injectable()
export class PeopleTransfer extends Transfer {
  constructor() {
    super('auth', peopleTables);
  }

  override write(tx: Transaction, table: string, rows: readonly Row[]): Promise<void> {
    return super.write(tx, table, storedForm(table, rows));
  }
}
