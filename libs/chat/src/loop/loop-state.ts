import type { RetrievalRefund } from '@acervo/contracts';
import type { Passage } from '../answering/passages';
import { recordsOf } from '../answering/result-records';
import { isResult, type OperationResult, passagesAmong, type Source } from '../answering/sources';
import type { PendingAction } from './pending-actions';

type JsonObject = Readonly<Record<string, unknown>>;

const keyOf = ({ documentCode, page, text }: Passage): string => JSON.stringify([documentCode, page, text]);

/** A retrieval that was counted: when, and the entity that its search named. */
export type CountedRetrieval = Pick<RetrievalRefund, 'retrievedAt' | 'entityCode'>;

/** What the work on one question has brought so far: sources in one count, retrievals, and what waits for a person. */
export class LoopState {
  private readonly all: Source[];
  private readonly seen: Source[];
  readonly retrievals: CountedRetrieval[];
  readonly pending: PendingAction[] = [];

  /** @param first the passages of the first retrieval */
  constructor(first: readonly Passage[], retrievedAt: string) {
    this.all = [...first];
    this.seen = [...first];
    this.retrievals = [{ retrievedAt }];
  }

  /** All sources, in a list that grows. */
  get sources(): readonly Source[] {
    return this.all;
  }

  /** The sources that a sentence may cite: a list that grows, and loses what the asker sees no longer. */
  get citable(): readonly Source[] {
    return this.seen;
  }

  get passages(): readonly Passage[] {
    return passagesAmong(this.seen);
  }

  /** Adds passages under numbers of their own; one that is there keeps its number. Returns them as numbered. */
  addPassages(found: readonly Passage[]): readonly Passage[] {
    const numbers = new Map(this.passages.map((passage) => [keyOf(passage), passage]));
    return found.map((passage) => numbers.get(keyOf(passage)) ?? this.added({ ...passage, number: this.next }));
  }

  addResult({ operation, summary }: Omit<OperationResult, 'number' | 'records'>, result: JsonObject): OperationResult {
    return this.added({ number: this.next, operation, summary, records: recordsOf(result) });
  }

  /** The documents that sources are of. */
  documents(): readonly string[] {
    const named = this.seen.flatMap((source) =>
      isResult(source)
        ? source.records.flatMap(({ documents }) => documents.map(({ documentCode }) => documentCode))
        : [source.documentCode],
    );
    return [...new Set(named)];
  }

  /** Lets no further sentence cite documents that the asker sees no longer. */
  keep(visible: ReadonlySet<string>): void {
    const isSeen = (code: string): boolean => visible.has(code);
    const visibleSources = this.seen.flatMap((source): Source[] => {
      if (!isResult(source)) return isSeen(source.documentCode) ? [source] : [];
      const areSeen = source.records.every(({ documents }) =>
        documents.every(({ documentCode }) => isSeen(documentCode)),
      );
      return areSeen ? [source] : [];
    });
    this.seen.splice(0, this.seen.length, ...visibleSources);
  }

  private get next(): number {
    return this.all.length + 1;
  }

  private added<T extends Source>(source: T): T {
    this.all.push(source);
    this.seen.push(source);
    return source;
  }
}
