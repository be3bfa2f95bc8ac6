import {
  codesDigest,
  type EmbeddingModelKey,
  factsDigest,
  type InventoryDocument,
  placeDigest,
  textDigest,
} from '@acervo/contracts';
import { pipelineOrder } from '../pipeline/pipeline-table';
import type { Believed } from './believed.store';

/** The kinds of difference between two stores about one document. */
const DIFFERENCE_KINDS = [
  'work.lost',
  'handover.lost',
  'live.missing',
  'live.older',
  'live.newer',
  'live.unwanted',
  'chunks.missing',
  'chunks.extra',
  'chunks.differ',
  'vectors.missing',
  'vectors.extra',
  'copies.missing',
  'copies.extra',
  'description.differs',
  'chunks.stale',
  'events.parked',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** All kinds that a comparison counts: those of documents, those of objects, and that of the pages of the group. */
export const COUNTED_KINDS: readonly string[] = [
  ...DIFFERENCE_KINDS,
  'object.unneeded',
  'object.missing',
  'pages.differ',
];

/**
 * A difference that was seen once. It counts when it looks the same a while later; otherwise an event was on its way.
 */
export interface Suspicion {
  readonly documentId: string;
  readonly kind: DifferenceKind;
  /** Unchanged while the document is unchanged on both sides. */
  readonly mark: string;
}

/** A document on both sides; one of them may be missing. */
export interface Compared {
  readonly documentId: string;
  readonly believed: Believed | undefined;
  readonly indexed: InventoryDocument | undefined;
}

const isOf = (embedding: EmbeddingModelKey | null, embeddingModel: EmbeddingModelKey | undefined): boolean =>
  embedding !== null && embedding.model === embeddingModel?.model && embedding.revision === embeddingModel.revision;

/** Compares the searchable content of a document with the last answered hand-over. */
const indexDifference = (
  believed: Believed,
  indexed: InventoryDocument | undefined,
  embeddingModel: EmbeddingModelKey | undefined,
): DifferenceKind | undefined => {
  if (indexed === undefined || !indexed.isShown || indexed.generation === 0) return 'live.missing';
  if (indexed.generation !== believed.generation)
    return indexed.generation < believed.generation ? 'live.older' : 'live.newer';
  const wanted = believed.chunkCount ?? indexed.chunkCount;
  if (indexed.chunks !== wanted || indexed.chunkCount !== wanted)
    return indexed.chunks > wanted ? 'chunks.extra' : 'chunks.missing';
  if (believed.chunksDigest !== null && indexed.content !== believed.chunksDigest) return 'chunks.differ';
  if (indexed.vectors > wanted) return 'vectors.extra';
  const isComplete =
    indexed.vectors === wanted ||
    (indexed.vectors === 0 && !(believed.hasVectors && isOf(believed.embedding, embeddingModel)));
  if (!isComplete) return 'vectors.missing';
  return indexed.copiesMissing > 0 ? 'copies.missing' : undefined;
};

const codesDiffer = ({ codes }: Believed, indexed: InventoryDocument): boolean =>
  indexed.codes !== undefined && codesDigest(codes ?? {}) !== indexed.codes;

/** Facts that never arrived are no difference: documents that lack them are described again. */
const factsDiffer = (believed: Believed, { facts = '' }: InventoryDocument): boolean =>
  facts !== '' && factsDigest(believed) !== facts;

const descriptionDiffers = (believed: Believed, indexed: InventoryDocument | undefined): boolean => {
  if (indexed === undefined || !indexed.isShown) return true;
  if (placeDigest(believed) !== indexed.place) return true;
  // While a document is in the pipeline, what its text says changes before it is published.
  return (
    believed.status === 'VECTORIZADO' &&
    (textDigest(believed) !== indexed.text || codesDiffer(believed, indexed) || factsDiffer(believed, indexed))
  );
};

/** Whether a document without vectors rests: retrieval has its words, and no embedder makes its vectors. */
const isFoundByWords = (believed: Believed, indexed: InventoryDocument | undefined): boolean =>
  believed.isHandedOver && !believed.hasVectors && indexed?.generation === believed.generation;

/** The first difference of a document that should be searchable, or on its way there. */
const wantedDifference = (
  believed: Believed,
  indexed: InventoryDocument | undefined,
  embeddingModel: EmbeddingModelKey | undefined,
): DifferenceKind | undefined => {
  if (!believed.isBusy && !believed.isResting) {
    if (believed.status === 'FRAGMENTADO') {
      if (!isFoundByWords(believed, indexed)) return 'handover.lost';
    } else if (pipelineOrder.milestoneAt(believed.status) !== undefined) return 'work.lost';
  }
  if (!believed.isHandedOver) return undefined;
  if (['FRAGMENTADO', 'VECTORIZADO'].includes(believed.status) && !believed.isBusy) {
    const differs = indexDifference(believed, indexed, embeddingModel);
    if (differs !== undefined) return differs;
  }
  return descriptionDiffers(believed, indexed) ? 'description.differs' : undefined;
};

const markOf = ({ believed, indexed }: Compared): string =>
  [
    believed?.revision,
    believed?.generation,
    believed?.status,
    indexed?.revision,
    indexed?.generation,
    indexed?.chunks,
    indexed?.vectors,
    indexed?.copiesMissing,
    indexed?.copiesExtra,
  ]
    .map(String)
    .join('/');

/**
 * The suspected differences of a document. Waiting work on either side explains a difference, so none is reported then.
 */
export const suspicionsOf = (compared: Compared, embeddingModel: EmbeddingModelKey | undefined): Suspicion[] => {
  const { documentId, believed, indexed } = compared;
  const describe = (kind: DifferenceKind): Suspicion => ({ documentId, kind, mark: `${kind}/${markOf(compared)}` });
  if (indexed?.isParked === true) return [describe('events.parked')];
  if (indexed?.isBusy === true) return [];
  const stale = [
    ...((indexed?.stale ?? 0) > 0 ? [describe('chunks.stale')] : []),
    ...((indexed?.copiesExtra ?? 0) > 0 ? [describe('copies.extra')] : []),
  ];
  const isWanted = believed !== undefined && !believed.isGone;
  if (isWanted && (believed.isHandedOver || !isShown(indexed))) {
    const kind = wantedDifference(believed, indexed, embeddingModel);
    return kind === undefined ? stale : [describe(kind), ...stale];
  }
  return isShown(indexed) ? [describe('live.unwanted'), ...stale] : stale;
};

/**
 * Whether an earlier program described the document to retrieval, without its language and last change. While events
 * about it wait, or it has dead letters, one more event would only wait behind them.
 */
export const lacksFacts = ({ believed, indexed }: Compared): boolean =>
  believed?.isHandedOver === true &&
  !believed.isBusy &&
  indexed?.facts === '' &&
  indexed.isShown &&
  !indexed.isBusy &&
  !indexed.isParked;

const isShown = (indexed: InventoryDocument | undefined): boolean =>
  indexed !== undefined && (indexed.isShown || indexed.isLive);
