import {
  type DocumentDetail,
  type DocumentEdges,
  type DocumentList,
  type DocumentListRequest,
  type DocumentReference,
  type EdgesRequest,
  getDocument,
  getDocumentEdges,
  listDocuments,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { type Scope, visibilityOf } from '@acervo/rbac';
import type { Database } from '@acervo/platform-database';
import type { LocationListing } from '../locations/location-listing.store';
import type { EdgesStore } from './edges.store';
import type { ListingStore } from './listing.store';

export class DocumentsCalls {
  constructor(
    private readonly database: Database,
    private readonly listing: ListingStore,
    private readonly locations: LocationListing,
    private readonly edges: EdgesStore,
  ) {}

  @Handles(listDocuments)
  async list(scope: Scope, { status, limit, page, locationCode }: DocumentListRequest): Promise<DocumentList> {
    const visibility = visibilityOf(scope, { locationCode });
    return { ...(await this.listing.list({ visibility, status, limit, page })), page, limit };
  }

  @Handles(getDocument)
  get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentDetail> {
    return this.listing.get(visibilityOf(scope), documentCode);
  }

  @Handles(getDocumentEdges)
  async getEdges(scope: Scope, { documentCode, neighborLimit }: EdgesRequest): Promise<DocumentEdges> {
    const visibility = visibilityOf(scope);
    const document = await this.listing.get(visibility, documentCode);
    return this.database.read(visibility, async (tx) => ({
      document,
      typePath: [],
      locationPath: await this.locations.path(tx, visibility, document.locationCode),
      features: [],
      neighborsTwoHops: await this.edges.neighbors(tx, visibility, document, neighborLimit),
    }));
  }
}
