import { Injectable } from '@nestjs/common';
import { type EmbeddingModelKey, type InventoryDocument, listInventory } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { type Believed, BelievedStore } from './believed.store';
import { type Compared, lacksFacts, type Suspicion, suspicionsOf } from './differences';

/** Documents of retrieval per comparison, or of this service where retrieval has none. */
const PAGE = 40;
const MOST_BELIEVED = 200;

/** The outcome of one step of the comparison. */
export interface Look {
  readonly documents: number;
  readonly suspicions: readonly Suspicion[];
  /** Documents that an earlier program described, without all that is published now. */
  readonly undescribed: readonly Compared[];
  /** Documents whose copies in OpenSearch could not be checked. */
  readonly copiesUnread: number;
  /** Resume after this document; null at the end. */
  readonly next: string | null;
}

/** The outcome of a second look: each unchanged suspicion, with its document on both sides. */
export interface Confirmed {
  readonly differences: readonly (readonly [Suspicion, Compared])[];
  readonly copiesUnread: number;
}

const isOfCopies = ({ kind }: Suspicion): boolean => kind === 'copies.missing' || kind === 'copies.extra';

const inOrder = (believed: readonly Believed[], indexed: readonly InventoryDocument[]): Compared[] => {
  const ours = new Map(believed.map((each) => [each.documentId, each]));
  const theirs = new Map(indexed.map((each) => [each.documentId, each]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].sort().map((documentId) => ({
    documentId,
    believed: ours.get(documentId),
    indexed: theirs.get(documentId),
  }));
};

/** Compares documents with the inventory of retrieval, a few at a time. */
@Injectable()
export class Comparison {
  constructor(
    private readonly believed: BelievedStore,
    private readonly calls: Calls,
  ) {}

  /** The documents after an id, on either side. */
  async look(scope: WorkScope, after: string | null): Promise<Look> {
    const page = await this.calls.send(listInventory, scope, { after: after ?? '', limit: PAGE, only: [] });
    const last = page.hasMore ? (page.documents.at(-1)?.documentId ?? null) : null;
    const ours = await this.believed.range(scope, { after, through: last, limit: MOST_BELIEVED });
    // This service has more documents than were read: compare both sides up to the last one read.
    const next = ours.length === MOST_BELIEVED ? (ours.at(-1)?.documentId ?? null) : last;
    const theirs = page.documents.filter(({ documentId }) => next === null || documentId <= next);
    const compared = inOrder(ours, theirs);
    const documents = compared.length;
    const copiesUnread = page.copiesUnread ? documents : 0;
    const suspicions = this.suspicions(compared, page.space);
    return { documents, suspicions, undescribed: compared.filter(lacksFacts), copiesUnread, next };
  }

  /** Checks suspected documents again. */
  async confirm(scope: WorkScope, suspected: readonly Suspicion[]): Promise<Confirmed> {
    const only = [...new Set(suspected.map(({ documentId }) => documentId))];
    const ours = await this.believed.some(scope, only);
    const page = await this.calls.send(listInventory, scope, { after: '', limit: PAGE, only });
    const compared = inOrder(ours, page.documents);
    const marks = new Set(suspected.map(({ mark, documentId }) => `${documentId} ${mark}`));
    const differences = compared.flatMap((each) =>
      suspicionsOf(each, page.space[0])
        .filter(({ mark, documentId }) => marks.has(`${documentId} ${mark}`))
        .map((suspicion): [Suspicion, Compared] => [suspicion, each]),
    );
    return { differences, copiesUnread: page.copiesUnread ? suspected.filter(isOfCopies).length : 0 };
  }

  private suspicions(compared: readonly Compared[], [embeddingModel]: readonly EmbeddingModelKey[]): Suspicion[] {
    return compared.flatMap((each) => suspicionsOf(each, embeddingModel));
  }
}
