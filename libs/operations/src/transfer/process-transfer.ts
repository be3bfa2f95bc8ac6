import { Injectable } from '@nestjs/common';
import { Transfer } from '@acervo/platform-database';
import { processTables } from './tables';

/** Processes of a group, to and from another installation. */
@Injectable()
export class ProcessTransfer extends Transfer {
  constructor() {
    super('operations', processTables);
  }
}
