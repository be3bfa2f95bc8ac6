import {
  type DocumentDetail,
  type DocumentList,
  type DocumentListRequest,
  type DocumentReference,
  getDocument,
  listDocuments,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { type Scope, visibilityOf } from '@acervo/rbac';
import type { ListingStore } from './listing.store';

export class DocumentsCalls {
  constructor(private readonly listing: ListingStore) {}

  @Handles(listDocuments)
  async list(scope: Scope, { status, limit, page, locationCode }: DocumentListRequest): Promise<DocumentList> {
    const visibility = visibilityOf(scope, { locationCode });
    return { ...(await this.listing.list({ visibility, status, limit, page })), page, limit };
  }

  @Handles(getDocument)
  get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentDetail> {
    return this.listing.get(visibilityOf(scope), documentCode);
  }
}
