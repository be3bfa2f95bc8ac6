import {
  type DocumentDetail,
  type DocumentList,
  type DocumentListRequest,
  type DocumentReference,
  countDocumentsByStatus,
  type DocumentStatusCounts,
  type DocumentStatuses,
  type Empty,
  getDocument,
  listDocuments,
  listDocumentStatuses,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { type Scope, visibilityOf } from '@acervo/rbac';
import type { ListingStore } from './listing.store';
import { reversalTo } from './reversal';

/** States that nothing leads out of but a change of the file or a person. */
const AT_REST: readonly DocumentStatus[] = ['VECTORIZADO', 'ERROR', 'NO_ENCONTRADO', 'NO_SOPORTADO'];

export class DocumentsCalls {
  constructor(private readonly listing: ListingStore) {}

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
      isRevertible: reversalTo(code) !== undefined,
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
  get(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentDetail> {
    return this.listing.get(visibilityOf(scope), documentCode);
  }
}
