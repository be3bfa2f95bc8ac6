import { Injectable } from '@nestjs/common';
import { entityReach, type SearchRequest } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';

/** What a search may see. It may name any entity of the caller; in one outside of the focus auth knows the folders. */
@Injectable()
export class RequestVisibility {
  constructor(private readonly calls: Calls) {}

  /** @throws NotFound for an entity that the caller does not have; ContextConflict under a stale focus */
  async of(scope: Scope, { entityCode, locationCode }: SearchRequest): Promise<Visibility> {
    const inFocus = visibilityOf(scope, { locationCode });
    if (entityCode === undefined) return inFocus;
    if (inFocus.entities.includes(entityCode)) return { ...inFocus, entities: [entityCode] };
    const { locationRoots } = await this.calls.send(entityReach, scope, { entityCode });
    return { ...inFocus, entities: [entityCode], locationRoots };
  }
}
