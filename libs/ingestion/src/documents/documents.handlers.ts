import { Injectable } from '@nestjs/common';
import {
  type DocumentDetail,
  type DocumentEdges,
  type DocumentList,
  type DocumentListRequest,
  type DocumentReference,
  type EdgesRequest,
  countDocumentsByStatus,
  type DocumentStatusCounts,
  type DocumentStatuses,
  type Empty,
  getDocument,
  getDocumentEdges,
  listDocuments,
  listDocumentStatuses,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { Database, type Transaction } from '@acervo/platform-database';
import { LocationListing } from '../locations/location-listing.store';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { EdgesStore } from './edges.store';
import { BY_KEY } from './neighbors';
import { DocumentSkillStore } from '../skills/document-skill.store';
import { ListingStore } from './listing.store';

/** Final states: only a change of the file or a user leads out of them. */
const AT_REST: readonly DocumentStatus[] = ['VECTORIZADO', 'ERROR', 'NO_ENCONTRADO', 'NO_SOPORTADO'];

@Injectable()
export class DocumentsHandlers {
  constructor(
    private readonly database: Database,
    private readonly listing: ListingStore,
    private readonly locations: LocationListing,
    private readonly edges: EdgesStore,
    private readonly skills: DocumentSkillStore,
  ) {}

  @Handles(listDocuments)
  async list(scope: Scope, { status, limit, page, locationCode }: DocumentListRequest): Promise<DocumentList> {
    const visibility = visibilityOf(scope, { locationCode });
    return { ...(await this.listing.list({ visibility, status, limit, page })), page, limit };
  }

  @Handles(listDocumentStatuses)
  async statuses(_scope: Scope, _input: Empty): Promise<DocumentStatuses> {
    const statuses = documentStatus.internalCodes.map((code) => ({
      code,
      isFinal: AT_REST.includes(code),
      isRevertible: pipelineOrder.reversalTo(code) !== undefined,
    }));
    return { statuses };
  }

  @Handles(countDocumentsByStatus)
  async countByStatus(scope: Scope, _input: Empty): Promise<DocumentStatusCounts> {
    const counted = new Map(
      (await this.listing.countByStatus(visibilityOf(scope))).map(({ status, documents }) => [status, documents]),
    );
    const counts = documentStatus.internalCodes.map((status) => ({ status, documents: counted.get(status) ?? 0 }));
    return { counts, total: counts.reduce((sum, { documents }) => sum + documents, 0) };
  }

  @Handles(getDocument)
  async get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentDetail> {
    const visibility = visibilityOf(scope);
    const [document, skillResults] = await Promise.all([
      this.listing.get(visibility, documentCode),
      this.skills.results(visibility, documentCode),
    ]);
    return { ...document, skillResults };
  }

  @Handles(getDocumentEdges)
  async getEdges(scope: Scope, { documentCode, neighborLimit }: EdgesRequest): Promise<DocumentEdges> {
    const visibility = visibilityOf(scope);
    const document = await this.listing.get(visibility, documentCode);
    const read = async (tx: Transaction): Promise<DocumentEdges> => {
      const documentId = await this.edges.documentId(tx, visibility, documentCode);
      const from = { documentId, locationCode: document.locationCode };
      return {
        document,
        typePath: await this.edges.typePath(tx, documentId),
        locationPath: await this.locations.path(tx, visibility, document.locationCode),
        features: await this.edges.features(tx, documentId),
        neighborsTwoHops: await this.edges.neighbors(tx, visibility, from, neighborLimit),
      };
    };
    return this.database.read(visibility, read, BY_KEY);
  }
}
