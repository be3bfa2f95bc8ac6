import { Injectable } from '@nestjs/common';
import { EmbedderFailure } from '@acervo/models';
import { BackgroundDatabase, SliceSize, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { ObjectMissing, ObjectStore } from '@acervo/platform-object-store';
import { DocumentEvents } from '../document-state/document-events';
import { ResultStore, type UsedResult } from '../document-state/result.store';
import type { ClassifiedDocument } from '../classification/classification.store';
import { ClassificationStore, unclassified } from '../classification/classification.store';
import { classificationOf, Classifiers, type GroupClassifier } from '../classification/classifiers';
import type { Classified, ClassifierInput } from '../classification/classify-job';
import { ModelBacklog } from '../classification/model-backlog';
import { findingsOf } from '../classification/model-findings';
import { OpeningVectors } from '../classification/opening-vectors';
import { type ClassifiableRow, StaleDocumentsStore, type TaxonomyChange } from './stale-documents.store';

/** Documents that are in memory together. */
export const SLICE = 64;
/** Documents that one transaction writes. */
const WRITES = { least: 8, most: 64, wanted: 8 };

/** A document whose object is missing is classified by its name and place; restoring the object restarts it. */
const NO_TEXT = Buffer.from('{"text":"","pages":[]}', 'utf8');

/** A document with its new classification, and the vector to remember with it. */
export interface Reclassified extends ClassifiedDocument {
  readonly used: UsedResult | undefined;
}

/** The vector of a document; null while no embedder answers. */
interface Vectored {
  readonly vector: Float32Array | null;
  readonly used?: UsedResult;
}

/** Whether a change after its classification concerns a document; a version without a known change concerns all. */
const isConcerned = (
  { version, typeCodes }: ClassifiableRow,
  changes: readonly TaxonomyChange[],
  present: number,
): boolean => {
  if (version === null) return true;
  const later = changes.filter((change) => change.version > version && change.version <= present);
  if (later.length < present - version) return true;
  return later.some(({ typeCode }) => typeCode === null || typeCodes.includes(typeCode));
};

/** What a slice left undone. */
export interface SliceResult {
  /** The embedder did not answer: documents that wait for a vector still wait. */
  readonly lacksVectors: boolean;
}

/**
 * Classifies documents again from their stored texts. Nothing is extracted, cut or embedded for it, except the one
 * vector of title and opening of a document that was never embedded.
 */
@Injectable()
export class Reclassification {
  private readonly size: SliceSize;

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly stale: StaleDocumentsStore,
    private readonly store: ClassificationStore,
    private readonly classifiers: Classifiers,
    private readonly vectors: OpeningVectors,
    private readonly results: ResultStore,
    private readonly objects: ObjectStore,
    private readonly models: ModelBacklog,
    private readonly documentEvents: DocumentEvents,
    private readonly failpoints: Failpoints,
  ) {
    this.size = new SliceSize(database, WRITES);
  }

  /** Brings documents to the present taxonomy; those that are up to date cost nothing. */
  async classify(scope: TenantScope, found: readonly ClassifiableRow[], mayEmbed: boolean): Promise<SliceResult> {
    const { version, changes } = await this.database.read(scope, (tx) => this.present(tx, found));
    const classifier = await this.classifiers.at(scope, version);
    if (classifier === null) return this.clear(scope, found, version);
    const rows = found.filter(({ isEligible }) => isEligible);
    const present = classifier.taxonomy.version;
    const behind = rows.filter((row) => row.version === null || row.version < present);
    const concerned = behind.filter((row) => isConcerned(row, changes, present));
    const others = behind.filter((row) => !concerned.includes(row));
    if (others.length > 0) await this.database.write(scope, (tx) => this.stale.raise(tx, others, present));
    const canEmbed = mayEmbed && this.vectors.isPossible;
    const waiting = canEmbed ? rows.filter((row) => row.awaitsVector && !concerned.includes(row)) : [];
    return this.decide(scope, classifier, [...concerned, ...waiting], canEmbed);
  }

  private async present(tx: Transaction, rows: readonly ClassifiableRow[]) {
    const earliest = rows.reduce((least, { version }) => Math.min(least, version ?? least), Number.MAX_SAFE_INTEGER);
    return { version: await this.stale.version(tx), changes: await this.stale.changes(tx, earliest) };
  }

  private async decide(
    scope: TenantScope,
    classifier: GroupClassifier,
    rows: readonly ClassifiableRow[],
    canEmbed: boolean,
  ): Promise<SliceResult> {
    if (rows.length === 0) return { lacksVectors: false };
    const { reclassified, lacksVectors } = await this.decided(scope, classifier, rows, canEmbed);
    await this.write(scope, reclassified);
    return { lacksVectors };
  }

  /** A document by the present taxonomy and what a model found in it; undefined where the group describes no types. */
  async of(scope: TenantScope, row: ClassifiableRow, version: number): Promise<Reclassified | undefined> {
    const classifier = await this.classifiers.at(scope, version);
    if (classifier === null) return undefined;
    const { reclassified } = await this.decided(scope, classifier, [row], this.vectors.isPossible);
    return reclassified[0];
  }

  private async decided(
    scope: TenantScope,
    classifier: GroupClassifier,
    rows: readonly ClassifiableRow[],
    canEmbed: boolean,
  ): Promise<{ readonly reclassified: readonly Reclassified[] } & SliceResult> {
    const inputs = await Promise.all(rows.map((row) => this.input(scope, row)));
    const byTerms = await this.classifiers.run(classifier, inputs);
    const wanted = rows.flatMap((row, at) => {
      const first = byTerms[at];
      const isOpen = first !== undefined && classificationOf(classifier, row.contentHash, first, false).awaitsVector;
      return isOpen ? [{ row, at, opening: first.opening }] : [];
    });
    const seeing = canEmbed && wanted.length > 0 ? await this.withVectors(scope, classifier) : null;
    const vectors = seeing === null ? [] : await Promise.all(wanted.map((each) => this.vector(scope, each)));
    const withVector = wanted.flatMap(({ at }, place) => {
      const input = inputs[at];
      const { vector = null, used } = vectors[place] ?? {};
      return vector === null || input === undefined ? [] : [{ at, used, input: { ...input, vector } }];
    });
    const byVectors = await this.classifiers.run(
      seeing ?? classifier,
      withVector.map(({ input }) => input),
    );
    const better = new Map(withVector.map(({ at, used }, place) => [at, { used, classified: byVectors[place] }]));
    const reclassified = rows.flatMap((row, at): Reclassified[] => {
      const { used, classified } = better.get(at) ?? {};
      const last: Classified | undefined = classified ?? byTerms[at];
      if (last === undefined) return [];
      const classification = classificationOf(classifier, row.contentHash, last, classified !== undefined);
      const { documentId, textObject } = row;
      return [{ documentId, textObject, classification, used }];
    });
    return { reclassified, lacksVectors: withVector.length < wanted.length };
  }

  /**
   * Null while the embedder does not answer. The vectors of examples are stored here: an example that a rule decides
   * never gets one of its own.
   */
  private async withVectors(scope: TenantScope, classifier: GroupClassifier): Promise<GroupClassifier | null> {
    const keep = (made: readonly UsedResult[]): Promise<void> =>
      this.database.write(scope, (tx) => this.results.keep(tx, made));
    try {
      return await this.classifiers.withVectors(scope, classifier, keep);
    } catch (error) {
      if (error instanceof EmbedderFailure) return null;
      throw error;
    }
  }

  private async input(scope: TenantScope, row: ClassifiableRow): Promise<ClassifierInput> {
    const { documentId, entityCode, name, path, language, title, textObject } = row;
    const stored = await this.objects.get(scope, textObject).catch((error: unknown) => {
      if (error instanceof ObjectMissing) return NO_TEXT;
      throw error;
    });
    const facts = { documentId, entityCode, name, path, language, title };
    return { ...facts, stored, vector: null, findings: findingsOf(row.found) };
  }

  private async vector(
    scope: TenantScope,
    { row, opening }: { readonly row: ClassifiableRow; readonly opening: string },
  ): Promise<Vectored> {
    try {
      return await this.vectors.of(scope, row.contentHash, opening);
    } catch (error) {
      if (error instanceof EmbedderFailure) return { vector: null };
      throw error;
    }
  }

  private write(scope: TenantScope, all: readonly Reclassified[]): Promise<void> {
    return this.inSlices(all, async (slice) => {
      await this.database.write(scope, async (tx) => {
        await this.models.enqueue(tx, await this.keep(tx, slice));
        this.failpoints.hit('pipeline.before-commit');
      });
      this.failpoints.hit('pipeline.committed');
    });
  }

  /**
   * Results, then documents, then what belongs to them: the steps lock in the same order. Answers the documents that
   * still have the content of their classification.
   */
  async keep(tx: Transaction, slice: readonly Reclassified[]): Promise<readonly string[]> {
    const used = new Map(slice.flatMap((each) => (each.used === undefined ? [] : [[each.used.id.key, each.used]])));
    await this.results.keep(tx, [...used.values()]);
    const current = await this.store.lockCurrent(tx, slice);
    await this.documentEvents.describe(tx, await this.store.replace(tx, current));
    return current.map(({ documentId }) => documentId);
  }

  /** Of a group that describes no types any longer: no document has a row. */
  private async clear(scope: TenantScope, rows: readonly ClassifiableRow[], version: number): Promise<SliceResult> {
    const emptied = rows
      .filter(({ isClassified }) => isClassified)
      .map(({ documentId, contentHash }) => ({ documentId, classification: unclassified(contentHash, version) }));
    await this.inSlices(emptied, (slice) =>
      this.database.write(scope, async (tx) => {
        if ((await this.stale.version(tx)) !== version) return;
        await this.documentEvents.describe(tx, await this.store.replace(tx, await this.store.lockCurrent(tx, slice)));
        await this.store.forget(
          tx,
          slice.map(({ documentId }) => documentId),
        );
      }),
    );
    return { lacksVectors: false };
  }

  private async inSlices<T>(all: readonly T[], work: (slice: readonly T[]) => Promise<void>): Promise<void> {
    for (let from = 0; from < all.length;) {
      const slice = all.slice(from, from + this.size.now);
      const began = performance.now();
      await work(slice);
      const ms = performance.now() - began;
      this.size.took(slice.length, ms);
      await this.size.rest(ms);
      from += slice.length;
    }
  }
}
