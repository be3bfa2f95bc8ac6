import { Injectable } from '@nestjs/common';
import type { SearchRequest } from '@acervo/contracts';
import { Calls, ownReach } from '@acervo/platform-calls';
import { type Scope, type Visibility, visibilityOfRequest } from '@acervo/rbac';
import { type SearchedDocuments, searchedDocuments } from '../legs/searched-documents';

/** What a search may find: what its caller sees, narrowed by the request. */
@Injectable()
export class RequestVisibility {
  constructor(private readonly calls: Calls) {}

  /** @throws NotFound for an entity that the caller does not have; ContextConflict under a stale focus */
  async of(scope: Scope, request: SearchRequest): Promise<SearchedDocuments> {
    return searchedDocuments(await this.visibility(scope, request), request.filter);
  }

  private visibility(scope: Scope, { entityCode, locationCode }: SearchRequest): Promise<Visibility> {
    return visibilityOfRequest(scope, { entityCode, locationCode }, ownReach(this.calls, scope));
  }
}
