import type { TenantScope, Transaction } from '@acervo/platform-database';
import type { Stage } from '@acervo/platform-queue';
import type { Advance, DocumentPatch, WorkingDocument } from '../working-document.store';

/** The output of a step, and the function that remembers it. */
export interface Done {
  readonly patch: DocumentPatch;
  /** The objects that it names; they are collected when the document changed meanwhile. */
  readonly objects: readonly string[];
  keep(tx: Transaction): Promise<void>;
}

/** One step of a document: from one state to the next, outside any transaction. */
export interface Step extends Advance {
  readonly stage: Stage;
  readonly next: Stage;
  /** Documents that are worked concurrently. */
  readonly atOnce: number;
  /** @throws DocumentRefused where a retry would not help */
  work(scope: TenantScope, document: WorkingDocument, progress: () => void): Promise<Done>;
}
