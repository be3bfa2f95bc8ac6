import type { TenantScope, Transaction } from '@acervo/platform-database';
import type { Classification } from '../../classification/classification';
import type { UsedResult } from '../../document-state/result.store';
import type { DocumentPatch, WorkingDocument } from '../../document-state/working-document.store';

/** The output of a step. */
export interface StepOutput {
  readonly patch: DocumentPatch;
  /** The objects that it names; they are collected when the document changed meanwhile. */
  readonly objects: readonly string[];
  /** The result to remember with it. */
  readonly used?: UsedResult;
  /** The stored text of the document, for the steps behind this one within the lease. */
  readonly text?: Uint8Array;
  /** The type and the features of the document, to be stored with it. */
  readonly classification?: Classification;
  /** What else belongs to the transaction that commits it. */
  keep?(tx: Transaction): Promise<void>;
}

/** What a step gets beside its document. */
export interface StepContext {
  /** Renews the lease of a step that takes long. */
  progress(): void;
  /** The stored text of the document: that of an earlier step of the lease, otherwise read from the store once. */
  text(): Promise<Uint8Array>;
}

/** The work of one row of the pipeline's table, outside any transaction. */
export interface Step {
  /** Documents that are worked concurrently; one where it is absent. */
  readonly atOnce?: number;
  /** Whether it takes a document so little time that it may follow another step within the same lease. */
  isCheap?(document: WorkingDocument): boolean;
  /** @throws DocumentRefused where a retry would not help */
  work(scope: TenantScope, document: WorkingDocument, context: StepContext): Promise<StepOutput>;
}
