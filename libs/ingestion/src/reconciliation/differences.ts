import { type EmbeddingModelKey, type HeldDocument, placeDigest, textDigest } from '@acervo/contracts';
import { milestoneAt } from '../documents/reversal';
import type { Believed } from './believed.store';

/** What can differ between two stores about one document. */
export type DifferenceKind =
  | 'work.lost'
  | 'handover.lost'
  | 'live.missing'
  | 'live.older'
  | 'live.newer'
  | 'live.unwanted'
  | 'chunks.missing'
  | 'chunks.extra'
  | 'chunks.differ'
  | 'vectors.missing'
  | 'vectors.extra'
  | 'copies.missing'
  | 'copies.extra'
  | 'description.differs'
  | 'chunks.stale'
  | 'events.parked';

/** A difference that was seen once. Only one that looks the same a while later is one; else something was on its way. */
export interface Suspicion {
  readonly documentId: string;
  readonly kind: DifferenceKind;
  /** The same as long as nothing happens to the document on either side. */
  readonly mark: string;
}

/** A document on both sides; one of them may be missing. */
export interface Compared {
  readonly documentId: string;
  readonly believed: Believed | undefined;
  readonly held: HeldDocument | undefined;
}

const isOf = (embedding: EmbeddingModelKey | null, space: EmbeddingModelKey | undefined): boolean =>
  embedding !== null && embedding.model === space?.model && embedding.revision === space.revision;

/** What is searched of a document against what was handed over last and answered. */
const indexDifference = (
  believed: Believed,
  held: HeldDocument | undefined,
  space: EmbeddingModelKey | undefined,
): DifferenceKind | undefined => {
  if (held === undefined || !held.isShown || held.generation === 0) return 'live.missing';
  if (held.generation !== believed.generation)
    return held.generation < believed.generation ? 'live.older' : 'live.newer';
  const wanted = believed.chunkCount ?? held.chunkCount;
  if (held.chunks !== wanted || held.chunkCount !== wanted)
    return held.chunks > wanted ? 'chunks.extra' : 'chunks.missing';
  if (believed.chunksDigest !== null && held.content !== believed.chunksDigest) return 'chunks.differ';
  if (held.vectors > wanted) return 'vectors.extra';
  const isComplete =
    held.vectors === wanted || (held.vectors === 0 && !(believed.hasVectors && isOf(believed.embedding, space)));
  if (!isComplete) return 'vectors.missing';
  return held.copiesMissing > 0 ? 'copies.missing' : undefined;
};

const descriptionDiffers = (believed: Believed, held: HeldDocument | undefined): boolean => {
  if (held === undefined || !held.isShown) return true;
  if (placeDigest({ ...believed, origin: 'CARPETA' }) !== held.place) return true;
  // While a document is on its way, what it says of itself changes before it is told.
  return believed.status === 'VECTORIZADO' && textDigest(believed) !== held.text;
};

/** The first thing that differs about a document that should be searchable, or be on its way. */
const wantedDifference = (
  believed: Believed,
  held: HeldDocument | undefined,
  space: EmbeddingModelKey | undefined,
): DifferenceKind | undefined => {
  if (!believed.isBusy && !believed.isResting) {
    if (believed.status === 'FRAGMENTADO') return 'handover.lost';
    if (milestoneAt(believed.status) !== undefined) return 'work.lost';
  }
  if (!believed.isHandedOver) return undefined;
  if (believed.status === 'VECTORIZADO' && !believed.isBusy) {
    const differs = indexDifference(believed, held, space);
    if (differs !== undefined) return differs;
  }
  return descriptionDiffers(believed, held) ? 'description.differs' : undefined;
};

const markOf = ({ believed, held }: Compared): string =>
  [
    believed?.revision,
    believed?.generation,
    believed?.status,
    held?.revision,
    held?.generation,
    held?.chunks,
    held?.vectors,
    held?.copiesMissing,
    held?.copiesExtra,
  ]
    .map(String)
    .join('/');

/** What seems to differ about a document. What waits on either side speaks against it: then nothing is said. */
export const suspicionsOf = (compared: Compared, space: EmbeddingModelKey | undefined): Suspicion[] => {
  const { documentId, believed, held } = compared;
  const say = (kind: DifferenceKind): Suspicion => ({ documentId, kind, mark: `${kind}/${markOf(compared)}` });
  if (held?.isParked === true) return [say('events.parked')];
  if (held?.isBusy === true) return [];
  const stale = [
    ...((held?.stale ?? 0) > 0 ? [say('chunks.stale')] : []),
    ...((held?.copiesExtra ?? 0) > 0 ? [say('copies.extra')] : []),
  ];
  const isWanted = believed !== undefined && !believed.isGone;
  if (isWanted && (believed.isHandedOver || !isShown(held))) {
    const kind = wantedDifference(believed, held, space);
    return kind === undefined ? stale : [say(kind), ...stale];
  }
  return isShown(held) ? [say('live.unwanted'), ...stale] : stale;
};

const isShown = (held: HeldDocument | undefined): boolean => held !== undefined && (held.isShown || held.isLive);
