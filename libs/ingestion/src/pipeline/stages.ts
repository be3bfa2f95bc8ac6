import { Code, TextList } from '@acervo/contracts';
import type { Stage } from '@acervo/platform-queue';

/** Short leases, renewed from document to document: what a killed worker held is taken up again within half a minute. */
const stage = (name: string, leaseSeconds = 30): Stage => ({ name, batch: 16, leaseSeconds, attempts: 6 });

/** The steps of a document on its way to the indexes, in order. */
export const ACQUIRE = stage('acquire');
export const EXTRACT = stage('extract');
export const SUMMARISE = stage('summarise');
export const CHUNK = stage('chunk');
export const EMBED = stage('embed', 60);
export const HAND_OVER = stage('hand-over');
/** The steps of a document, in order. */
export const pipelineStages: readonly Stage[] = [ACQUIRE, EXTRACT, SUMMARISE, CHUNK, EMBED, HAND_OVER];

/** Scans of locations that somebody asked for or whose time has come, one at a time. */
export const SCAN: Stage = { ...stage('scan', 60), batch: 1 };
/** Compares the stores of a group, one short step at a time, for ever. */
export const RECONCILE: Stage = { name: 'reconcile', batch: 1, leaseSeconds: 60, attempts: 1_000 };
/** Has the roots of a group scanned again when their time comes, for ever. */
export const RESCAN: Stage = { name: 'rescan', batch: 1, leaseSeconds: 60, attempts: 1_000 };
/** What always waits in a group that has folders, and is no work on them. */
export const upkeepStages: readonly Stage[] = [RECONCILE, RESCAN];

/** A location that was deleted. */
export class RemovedRoot {
  @Code({ description: 'The root of its folders' }) readonly root!: string;
}

/** Takes everything out that a deleted location held. */
export const REMOVE: Stage = { ...stage('remove-location', 60), batch: 1, payload: RemovedRoot };

/** Objects that may be needed no more, and the contents whose documents could need them. */
export class Discarded {
  @TextList({ max: 1_000_000, length: 512, description: 'Keys of objects' }) readonly objects!: readonly string[];
  @TextList({ max: 1_000_000, length: 128, description: 'Hashes of contents' }) readonly hashes!: readonly string[];
}

/** Removes objects of the store that no document needs any more. */
export const DISCARD: Stage = { ...stage('discard'), payload: Discarded };

/** Vectors for the embedder in use, where a document has none of it. However long the embedder is away, it waits. */
export const VECTORS: Stage = { name: 'vectors', batch: 8, leaseSeconds: 60, attempts: 1_000 };

/** Everything that is done with single documents: what the queue shows. */
export const documentStages: readonly Stage[] = [...pipelineStages, VECTORS];
