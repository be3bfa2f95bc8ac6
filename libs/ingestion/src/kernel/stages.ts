import { Code, Int, TextList, Uuid } from '@acervo/contracts';
import type { Stage } from '@acervo/platform-queue';

/** Leases are short and renewed from document to document: work of a killed worker resumes within half a minute. */
const stage = (name: string, leaseSeconds = 30): Stage => ({ name, batch: 32, leaseSeconds, attempts: 6 });
/** A stage whose pieces may take minutes. */
const longStage = (name: string, leaseSeconds = 30): Stage => ({
  ...stage(name, leaseSeconds),
  ...{ batch: 16, capacity: 'long' },
});

/** The stages of a document to the indexes; pipeline-table.ts has their order. */
export const ACQUIRE = stage('acquire');
export const EXTRACT = longStage('extract');
export const CLASSIFY = stage('classify');
export const SUMMARISE = stage('summarise');
export const CHUNK = stage('chunk');
export const EMBED = longStage('embed', 60);
export const HAND_OVER = stage('hand-over');

/** Scans of locations, requested or due, one at a time. */
export const SCAN: Stage = { ...stage('scan', 60), batch: 1, capacity: 'scan' };
/**
 * Research of web locations, and fetching of their pages. A lease works for some seconds, so that a site that is asked
 * once a second takes no slot for long.
 */
export const WEB: Stage = { ...stage('web'), batch: 1, capacity: 'egress' };
/** Compares the stores of a group, one short step at a time, for ever. */
export const RECONCILE: Stage = { name: 'reconcile', batch: 1, leaseSeconds: 60, attempts: 1_000 };
/** Requests scans of the roots of a group when they are due, for ever. */
export const RESCAN: Stage = { name: 'rescan', batch: 1, leaseSeconds: 60, attempts: 1_000 };

/** How far a round of classification is. */
export class ClassificationRound {
  @Uuid({ optional: true, description: 'Documents after this one remain' }) readonly after?: string;
  @Int({ optional: true, description: 'Version of the taxonomy at its begin' }) readonly version?: number;
  @Int({ default: 0, description: 'How often it was put off because documents waited' }) readonly postponed!: number;
}

/**
 * Classifies documents again whose type or features may have changed, below the priority of all documents. A group has
 * at most two tasks of it; the generation says which documents it looks at.
 */
export const CLASSIFY_AGAIN: Stage = {
  ...{ name: 'classify-again', batch: 1, leaseSeconds: 60, attempts: 1_000 },
  payload: ClassificationRound,
};
/** Lets documents go on that wait for free pages, in one task of the group while there are some. */
export const RESUME: Stage = { name: 'resume', batch: 1, leaseSeconds: 60, attempts: 1_000 };
/** Why a document, and its task, wait for free pages. */
export const QUOTA = 'QUOTA';

/** The stages of work that no document waits for. */
export const upkeepStages: readonly Stage[] = [RECONCILE, RESCAN, CLASSIFY_AGAIN, RESUME];

/** A location that was deleted. */
export class RemovedRoot {
  @Code({ description: 'The root of its folders' }) readonly root!: string;
}

/** Deletes everything in a deleted location. */
export const REMOVE: Stage = { ...longStage('remove-location', 60), batch: 1, payload: RemovedRoot };

/** Objects that may no longer be needed, and the contents whose documents could need them. */
export class CollectableObjects {
  @TextList({ max: 1_000_000, length: 512, description: 'Keys of objects' }) readonly objects!: readonly string[];
  @TextList({ max: 1_000_000, length: 128, description: 'Hashes of contents' }) readonly hashes!: readonly string[];
}

/** Deletes objects of the store that no document needs any longer. */
export const COLLECT_OBJECTS: Stage = { ...longStage('discard'), payload: CollectableObjects };

/**
 * Vectors of the embedder in use, for documents that are handed over without them. The task waits as long as the embedder
 * is away.
 */
export const VECTORS: Stage = { ...longStage('vectors', 60), batch: 24, attempts: 1_000 };

/** Runs a skill over one document. Each run is a task of its own, since some take a minute. */
export const RUN_SKILL: Stage = { ...longStage('skill', 60), batch: 1 };
/** Makes one result of what a skill found in the documents of a space, once it has worked on each of them. */
export const REDUCE_SKILL: Stage = { ...longStage('reduce-skill', 60), batch: 1 };
