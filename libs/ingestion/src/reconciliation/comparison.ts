import { type EmbeddingModelKey, type HeldDocument, listHeld } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { Believed, BelievedStore } from './believed.store';
import { type Compared, type Suspicion, suspicionsOf } from './differences';

/** Documents of retrieval that are compared at a time, and of this service where retrieval has none. */
const PAGE = 40;
const MOST_BELIEVED = 200;

/** What one step of the comparison saw. */
export interface Look {
  readonly documents: number;
  readonly suspicions: readonly Suspicion[];
  /** Go on after this document; null at the end. */
  readonly next: string | null;
}

const inOrder = (believed: readonly Believed[], held: readonly HeldDocument[]): Compared[] => {
  const ours = new Map(believed.map((each) => [each.documentId, each]));
  const theirs = new Map(held.map((each) => [each.documentId, each]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].sort().map((documentId) => ({
    documentId,
    believed: ours.get(documentId),
    held: theirs.get(documentId),
  }));
};

/** Compares documents with what retrieval has of them, a few at a time. */
export class Comparison {
  constructor(
    private readonly believed: BelievedStore,
    private readonly calls: Pick<Calls, 'send'>,
  ) {}

  /** The documents that come after one, on either side. */
  async look(scope: WorkScope, after: string | null): Promise<Look> {
    const page = await this.calls.send(listHeld, scope, { after: after ?? '', limit: PAGE, only: [] });
    const last = page.hasMore ? (page.documents.at(-1)?.documentId ?? null) : null;
    const ours = await this.believed.range(scope, { after, through: last, limit: MOST_BELIEVED });
    // With more of ours than were read, both sides are compared as far as ours go.
    const next = ours.length === MOST_BELIEVED ? (ours.at(-1)?.documentId ?? null) : last;
    const theirs = page.documents.filter(({ documentId }) => next === null || documentId <= next);
    const compared = inOrder(ours, theirs);
    return { documents: compared.length, suspicions: this.suspicions(compared, page.space), next };
  }

  /** Which suspicions still are what they were, each with the document as it is on both sides. */
  async confirm(scope: WorkScope, suspected: readonly Suspicion[]): Promise<[Suspicion, Compared][]> {
    const only = [...new Set(suspected.map(({ documentId }) => documentId))];
    const ours = await this.believed.some(scope, only);
    const page = await this.calls.send(listHeld, scope, { after: '', limit: PAGE, only });
    const compared = inOrder(ours, page.documents);
    const marks = new Set(suspected.map(({ mark, documentId }) => `${documentId} ${mark}`));
    return compared.flatMap((each) =>
      suspicionsOf(each, page.space[0])
        .filter(({ mark, documentId }) => marks.has(`${documentId} ${mark}`))
        .map((suspicion): [Suspicion, Compared] => [suspicion, each]),
    );
  }

  private suspicions(compared: readonly Compared[], [space]: readonly EmbeddingModelKey[]): Suspicion[] {
    return compared.flatMap((each) => suspicionsOf(each, space));
  }
}
