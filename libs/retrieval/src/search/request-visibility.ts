import { Injectable } from '@nestjs/common';
import { entityReach, type SearchRequest } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import { type SearchedDocuments, searchedDocuments } from '../legs/searched-documents';

/** What a search may find: what its caller sees, narrowed by the request. */
@Injectable()
export class RequestVisibility {
  constructor(private readonly calls: Calls) {}

  /** @throws NotFound for an entity that the caller does not have; ContextConflict under a stale focus */
  async of(scope: Scope, request: SearchRequest): Promise<SearchedDocuments> {
    return searchedDocuments(await this.visibility(scope, request), request.filter);
  }

  /** A request may name any entity of the caller; in one outside of the focus auth knows the folders. */
  private async visibility(scope: Scope, { entityCode, locationCode }: SearchRequest): Promise<Visibility> {
    const inFocus = visibilityOf(scope, { locationCode });
    if (entityCode === undefined) return inFocus;
    if (inFocus.entities.includes(entityCode)) return { ...inFocus, entities: [entityCode] };
    const { locationRoots } = await this.calls.send(entityReach, scope, { entityCode });
    return { ...inFocus, entities: [entityCode], locationRoots };
  }
}
