import { type AcquiredFile, DocumentRefused, type FilePlace, RootUnreadable, WalkHung } from '@acervo/files';
import type { RootFolder } from '../locations/root-folder';
import type { WalkOrder } from './file-access';
import type { WalkEnd, WalkPart } from './walk-parts';

/** The order to an access process; it takes one at a time. */
export type AccessOrder =
  | { readonly kind: 'walk'; readonly order: WalkOrder }
  | { readonly kind: 'take'; readonly place: FilePlace }
  | { readonly kind: 'resolve'; readonly path: string };

/** An error in plain data. */
export type AccessFailure =
  | {
      readonly kind: 'refused';
      readonly status: DocumentRefused['status'];
      readonly message: string;
      readonly retryOnScan: boolean;
    }
  | { readonly kind: 'root'; readonly forExclusions: boolean; readonly refused: RootUnreadable['refused'] }
  | { readonly kind: 'hung' }
  | { readonly kind: 'other'; readonly name: string; readonly message: string };

/** The report of an access process. `progress` says that the share answers. */
export type AccessReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress' }
  | { readonly kind: 'part'; readonly part: WalkPart }
  | { readonly kind: 'walked'; readonly end: WalkEnd }
  | { readonly kind: 'taken'; readonly file: AcquiredFile }
  | { readonly kind: 'resolved'; readonly folder: RootFolder }
  | { readonly kind: 'failed'; readonly failure: AccessFailure };

export const failureOf = (error: unknown): AccessFailure => {
  if (error instanceof DocumentRefused)
    return { kind: 'refused', status: error.status, message: error.message, retryOnScan: error.retryOnScan };
  if (error instanceof RootUnreadable) {
    const { forExclusions, refused } = error;
    return { kind: 'root', forExclusions, refused: refused && { line: refused.line, problem: refused.problem } };
  }
  if (error instanceof WalkHung) return { kind: 'hung' };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'other', name, message };
};

/** The error of an access process as its class. */
export const errorOf = (failure: AccessFailure): Error => {
  if (failure.kind === 'refused') return new DocumentRefused(failure.status, failure.message, failure.retryOnScan);
  if (failure.kind === 'root') return new RootUnreadable(failure.forExclusions, failure.refused);
  if (failure.kind === 'hung') return new WalkHung();
  return Object.assign(new Error(failure.message), { name: failure.name });
};
