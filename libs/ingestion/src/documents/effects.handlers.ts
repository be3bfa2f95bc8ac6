import { Injectable } from '@nestjs/common';
import {
  type DocumentEffect,
  type DocumentReference,
  type DocumentReversal,
  previewDocumentDeletion,
  previewMissingReport,
  previewReversal,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { countEffect, selectAffected, type takenAlong } from '../document-state/affected';
import { assertRevertible, type DocumentSnapshot, visibleSnapshot } from './document-snapshot';

/** Counts what changes of documents would affect, and changes nothing. */
@Injectable()
export class DocumentEffectsHandlers {
  constructor(private readonly database: Database) {}

  @Handles(previewDocumentDeletion)
  delete(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentEffect> {
    return this.count(scope, 'delete', (tx) => visibleSnapshot(tx, visibilityOf(scope), documentCode));
  }

  @Handles(previewMissingReport)
  reportMissing(scope: Scope, { documentCode }: DocumentReference): Promise<DocumentEffect> {
    return this.count(scope, 'reportMissing', (tx) => visibleSnapshot(tx, visibilityOf(scope), documentCode));
  }

  @Handles(previewReversal)
  revert(scope: Scope, { documentCode, status }: DocumentReversal): Promise<DocumentEffect> {
    return this.count(scope, 'revert', async (tx) => {
      const snapshot = await visibleSnapshot(tx, visibilityOf(scope), documentCode, { deletedToo: true });
      assertRevertible(snapshot, status);
      return snapshot;
    });
  }

  private count(
    scope: Scope,
    change: keyof typeof takenAlong,
    documentOf: (tx: Transaction) => Promise<DocumentSnapshot>,
  ): Promise<DocumentEffect> {
    return this.database.read(scope, async (tx) => {
      const { documentId } = await documentOf(tx);
      return countEffect(tx, await selectAffected(tx, documentId, change));
    });
  }
}
