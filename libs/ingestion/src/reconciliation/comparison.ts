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
  /** Documents whose copies in the engine that ranks words could not be looked at. */
  readonly copiesUnread: number;
  /** Go on after this document; null at the end. */
  readonly next: string | null;
}

/** What a second look saw: each suspicion that still is what it was, with its document as it is on both sides. */
export interface Confirmed {
  readonly differences: readonly (readonly [Suspicion, Compared])[];
  readonly copiesUnread: number;
}

const isOfCopies = ({ kind }: Suspicion): boolean => kind === 'copies.missing' || kind === 'copies.extra';

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
    const documents = compared.length;
    const copiesUnread = page.copiesUnread ? documents : 0;
    return { documents, suspicions: this.suspicions(compared, page.space), copiesUnread, next };
  }

  /** Looks at what is suspected once more. */
  async confirm(scope: WorkScope, suspected: readonly Suspicion[]): Promise<Confirmed> {
    const only = [...new Set(suspected.map(({ documentId }) => documentId))];
    const ours = await this.believed.some(scope, only);
    const page = await this.calls.send(listHeld, scope, { after: '', limit: PAGE, only });
    const compared = inOrder(ours, page.documents);
    const marks = new Set(suspected.map(({ mark, documentId }) => `${documentId} ${mark}`));
    const differences = compared.flatMap((each) =>
      suspicionsOf(each, page.space[0])
        .filter(({ mark, documentId }) => marks.has(`${documentId} ${mark}`))
        .map((suspicion): [Suspicion, Compared] => [suspicion, each]),
    );
    return { differences, copiesUnread: page.copiesUnread ? suspected.filter(isOfCopies).length : 0 };
  }

  private suspicions(compared: readonly Compared[], [space]: readonly EmbeddingModelKey[]): Suspicion[] {
    return compared.flatMap((each) => suspicionsOf(each, space));
  }
}
