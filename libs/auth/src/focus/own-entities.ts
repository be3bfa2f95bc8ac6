import { Injectable } from '@nestjs/common';
import { NotFound } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { Holders } from '../credentials/holders';
import { areaWithin } from './focus';

/** What a credential reaches of the entities of its owner, whichever is in focus. */
@Injectable()
export class OwnEntities {
  constructor(private readonly holders: Holders) {}

  /**
   * The area from which down an entity is reached; null for the whole of it.
   * @throws NotFound for an entity that the caller does not reach, exactly as for a missing one
   */
  async areaIn(scope: Scope, entityCode: string): Promise<string | null> {
    const area = areaWithin(await this.holders.of(scope), entityCode);
    if (area === undefined) throw new NotFound();
    return area;
  }
}
