import { Injectable } from '@nestjs/common';
import { Transfer } from '@acervo/platform-database';
import { spaceTables } from './tables';

/** Spaces of a group, to and from another installation. */
@Injectable()
export class SpaceTransfer extends Transfer {
  constructor() {
    super('retrieval', spaceTables);
  }
}
