import { Injectable } from '@nestjs/common';
import {
  type ChangedDocument,
  deleteDocument,
  type DocumentReference,
  type DocumentReversal,
  type IngestionOrder,
  reportMissingDocument,
  revertDocument,
  setIngestionOrder,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { ChangeStore } from './change.store';

/** Changes of single documents, each within what the caller may see. */
@Injectable()
export class DocumentChangesHandlers {
  constructor(private readonly changes: ChangeStore) {}

  @Handles(deleteDocument)
  delete(scope: Scope, { documentCode }: DocumentReference, context: WriteContext): Promise<ChangedDocument> {
    return context.write(async (tx) =>
      this.changes.delete(tx, await this.changes.lockForUpdate(tx, visibilityOf(scope), documentCode)),
    );
  }

  @Handles(reportMissingDocument)
  reportMissing(scope: Scope, { documentCode }: DocumentReference, context: WriteContext): Promise<ChangedDocument> {
    return context.write(async (tx) =>
      this.changes.reportMissing(tx, await this.changes.lockForUpdate(tx, visibilityOf(scope), documentCode)),
    );
  }

  @Handles(revertDocument)
  revert(scope: Scope, { documentCode, status }: DocumentReversal, context: WriteContext): Promise<ChangedDocument> {
    return context.write(async (tx) =>
      this.changes.revert(tx, await this.changes.lockForUpdate(tx, visibilityOf(scope), documentCode, true), status),
    );
  }

  @Handles(setIngestionOrder)
  order(scope: Scope, { documentCode, order }: IngestionOrder, context: WriteContext): Promise<ChangedDocument> {
    return context.write(async (tx) =>
      this.changes.order(tx, await this.changes.lockForUpdate(tx, visibilityOf(scope), documentCode), order),
    );
  }
}
