import type { Passage } from './passages';
import type { ResultRecord } from './result-records';

/** What an operation answered, as a source of an answer. */
export interface OperationResult {
  /** From 1, in one count with passages. */
  readonly number: number;
  /** The call or operation behind the tool. */
  readonly operation: string;
  /** What the operation does, in English. */
  readonly summary: string;
  readonly records: readonly ResultRecord[];
}

/** What a sentence may cite. */
export type Source = Passage | OperationResult;

export const isResult = (source: Source): source is OperationResult => 'operation' in source;

export const passagesAmong = (sources: readonly Source[]): readonly Passage[] =>
  sources.filter((source): source is Passage => !isResult(source));
