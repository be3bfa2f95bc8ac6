import type { TenantScope, Transaction } from '@acervo/platform-database';
import type { Stage } from '@acervo/platform-queue';
import type { Classification } from '../../classification/classification';
import type { UsedResult } from '../result.store';
import type { Advance, DocumentPatch, WorkingDocument } from '../working-document.store';

/** The output of a step. */
export interface Done {
  readonly patch: DocumentPatch;
  /** The objects that it names; they are collected when the document changed meanwhile. */
  readonly objects: readonly string[];
  /** The result to remember with it. */
  readonly used?: UsedResult;
  /** The type and the features of the document, to be stored with it. */
  readonly classification?: Classification;
  /** What else belongs to the transaction that commits it. */
  keep?(tx: Transaction): Promise<void>;
}

/** One step of a document: from one state to the next, outside any transaction. */
export interface Step extends Advance {
  readonly stage: Stage;
  readonly next: Stage;
  /** Documents that are worked concurrently. */
  readonly atOnce: number;
  /** Whether it takes a document so little time that it may follow another step within the same lease. */
  isCheap(document: WorkingDocument): boolean;
  /** @throws DocumentRefused where a retry would not help */
  work(scope: TenantScope, document: WorkingDocument, progress: () => void): Promise<Done>;
}
