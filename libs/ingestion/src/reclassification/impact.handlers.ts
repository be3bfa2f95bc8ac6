import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type BoundaryImpact,
  type BoundaryUpdate,
  type EntityMovement,
  getBoundaryImpact,
  type ImpactExample,
  NotFound,
} from '@acervo/contracts';
import { EmbedderFailure } from '@acervo/models';
import { Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { ObjectMissing, ObjectStore } from '@acervo/platform-object-store';
import { type Scope, type Visibility, visibilityOf, visibilitySql } from '@acervo/rbac';
import { BoundaryStore } from '../taxonomy/boundary.store';
import { checkRules } from '../taxonomy/pattern-check';
import { TaxonomyStore } from '../taxonomy/taxonomy.store';
import { Classifiers, type GroupClassifier } from '../classification/classifiers';
import { findingsOf, FOUND, type FoundBySkill } from '../classification/model-findings';
import { OpeningVectors } from '../classification/opening-vectors';
import type { Boundary, Taxonomy } from '../taxonomy/taxonomy';

/** Documents that are in memory together. */
const SLICE = 64;
/** Time for examining documents, within the deadline of the call; the answer names how many it examined. */
const BUDGET_MS = 20_000;
const MOST_EXAMPLES = 10;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface TriedDocument {
  readonly documentId: string;
  readonly code: string;
  readonly name: string;
  readonly path: string;
  readonly entityCode: string;
  readonly language: string | null;
  readonly title: string | null;
  readonly contentHash: string;
  readonly textObject: string;
  readonly typeCode: string | null;
  readonly found: FoundBySkill | null;
}

type MovementKind = ImpactExample['movement'];

const movementOf = (isIn: boolean, willBeIn: boolean): MovementKind | undefined => {
  if (isIn) return willBeIn ? 'KEEP' : 'LEAVE';
  return willBeIn ? 'ENTER' : undefined;
};

/** The movements of documents so far. */
class Tally {
  examined = 0;
  private readonly entities = new Map<string, Record<MovementKind, number>>();
  private readonly examples: ImpactExample[] = [];

  add({ code, name, entityCode }: TriedDocument, movement: MovementKind | undefined): void {
    this.examined += 1;
    if (movement === undefined) return;
    const counts = this.entities.get(entityCode) ?? { ENTER: 0, LEAVE: 0, KEEP: 0 };
    counts[movement] += 1;
    this.entities.set(entityCode, counts);
    if (this.examples.filter((each) => each.movement === movement).length < MOST_EXAMPLES)
      this.examples.push({ documentCode: code, name, movement });
  }

  /** Documents that move come before those that stay. */
  get shown(): ImpactExample[] {
    const order: readonly MovementKind[] = ['ENTER', 'LEAVE', 'KEEP'];
    return order
      .flatMap((movement) => this.examples.filter((each) => each.movement === movement))
      .slice(0, MOST_EXAMPLES);
  }

  get byEntity(): EntityMovement[] {
    return [...this.entities]
      .map(([entityCode, { ENTER: enter, LEAVE: leave, KEEP: keep }]) => ({ entityCode, enter, leave, keep }))
      .sort((one, other) => (one.entityCode < other.entityCode ? -1 : 1));
  }
}

const WITH_TEXT = `d.deleted_at is null and d.text_object is not null and d.content_hash is not null`;

/**
 * Tries boundaries on the documents that a caller sees. Nothing is written: reads are READ ONLY transactions of one slice
 * each, and texts are read between them.
 */
@Injectable()
export class ImpactHandlers {
  constructor(
    private readonly database: Database,
    private readonly taxonomies: TaxonomyStore,
    private readonly boundaries: BoundaryStore,
    private readonly classifiers: Classifiers,
    private readonly vectors: OpeningVectors,
    private readonly objects: ObjectStore,
  ) {}

  /** @throws PatternRefused, NotFound, TaxonomyConflict */
  @Handles(getBoundaryImpact)
  async impact(scope: Scope, change: BoundaryUpdate): Promise<BoundaryImpact> {
    const { documentTypeCode: typeCode, rules } = change;
    checkRules(rules ?? [], 'rules.value');
    const visibility = visibilityOf(scope);
    const end = performance.now() + BUDGET_MS;
    const { taxonomy, documents, examples } = await this.database.read(visibility, async (tx) => {
      const tried = await this.tried(tx, visibility, change);
      const examplesOf = await this.classifiers.examplesOf(tx, tried);
      return { taxonomy: tried, documents: await this.count(tx, visibility), examples: examplesOf };
    });
    const byTerms = await this.classifiers.of(visibility, `impact/${randomUUID()}`, taxonomy, examples);
    const classifier = await this.withVectors(visibility, byTerms);
    const tally = new Tally();
    for (let after: string | undefined = FIRST; after !== undefined && performance.now() < end;)
      after = await this.slice(visibility, { classifier, typeCode, tally, after });
    const entities = tally.byEntity;
    const total = (kind: 'enter' | 'leave' | 'keep'): number => entities.reduce((sum, each) => sum + each[kind], 0);
    return {
      ...{ documentTypeCode: typeCode, documents, examined: tally.examined },
      ...{ enter: total('enter'), leave: total('leave'), keep: total('keep') },
      ...{ entities, examples: tally.shown },
    };
  }

  /** Where the embedder does not answer, terms decide. */
  private async withVectors(visibility: Visibility, classifier: GroupClassifier): Promise<GroupClassifier> {
    if (!this.vectors.isPossible) return classifier;
    try {
      // It serves this call alone, so it takes no place among the kept classifiers of groups.
      const { seeing } = await this.classifiers.embedded(visibility, classifier);
      return seeing;
    } catch (error) {
      if (error instanceof EmbedderFailure) return classifier;
      throw error;
    }
  }

  /** The taxonomy of the group with a changed boundary. @throws NotFound, TaxonomyConflict */
  private async tried(
    tx: Transaction,
    visibility: Visibility,
    { documentTypeCode: typeCode, ...change }: BoundaryUpdate,
  ): Promise<Taxonomy> {
    const taxonomy = await this.taxonomies.load(tx);
    const type = taxonomy.types.find(({ code }) => code === typeCode);
    if (type === undefined || (type.entityCode !== null && !visibility.entities.includes(type.entityCode)))
      throw new NotFound();
    const { boundary } = type;
    const changed: Boundary = {
      includes: change.includes ?? boundary.includes,
      excludes: change.excludes ?? boundary.excludes,
      rules: change.rules ?? boundary.rules,
      examples:
        change.examples === undefined
          ? boundary.examples
          : await this.boundaries.replacedExamples(tx, visibility, type, change.examples),
    };
    return {
      ...taxonomy,
      types: taxonomy.types.map((each) => (each === type ? { ...each, boundary: changed } : each)),
    };
  }

  private async count(tx: Transaction, visibility: Visibility): Promise<number> {
    const visible = visibilitySql(visibility, 'd');
    const [row] = await tx.query<{ documents: number }>(
      `select count(*)::int as documents from ingestion.document d where ${WITH_TEXT} and ${visible.sql}`,
      visible.params,
    );
    return row?.documents ?? 0;
  }

  /** Answers the id of its last document; undefined after the last slice. */
  private async slice(
    visibility: Visibility,
    {
      classifier,
      typeCode,
      tally,
      after,
    }: {
      readonly classifier: GroupClassifier;
      readonly typeCode: string;
      readonly tally: Tally;
      readonly after: string;
    },
  ): Promise<string | undefined> {
    const { rows, vectors } = await this.database.read(visibility, async (tx) => {
      const found = await this.next(tx, visibility, after);
      const hashes = found.map(({ contentHash }) => contentHash);
      return { rows: found, vectors: await this.vectors.remembered(tx, hashes) };
    });
    const inputs = await Promise.all(
      rows.map(async ({ code: _code, textObject, contentHash, typeCode: _type, found, ...facts }) => {
        const stored = await this.objects.get(visibility, textObject).catch((error: unknown) => {
          // The document changed or was deleted meanwhile.
          if (error instanceof ObjectMissing) return undefined;
          throw error;
        });
        if (stored === undefined) return undefined;
        return { ...facts, stored, vector: vectors.get(contentHash) ?? null, findings: findingsOf(found) };
      }),
    );
    const there = rows.flatMap((row, at) => {
      const input = inputs[at];
      return input === undefined ? [] : [{ row, input }];
    });
    const decided = await this.classifiers.run(
      classifier,
      there.map(({ input }) => input),
      true,
    );
    for (const [at, { row }] of there.entries())
      tally.add(row, movementOf(row.typeCode === typeCode, decided[at]?.decision.typeCode === typeCode));
    return rows.length < SLICE ? undefined : rows.at(-1)?.documentId;
  }

  private next(tx: Transaction, visibility: Visibility, after: string): Promise<TriedDocument[]> {
    const visible = visibilitySql(visibility, 'd', 3);
    return tx.query<TriedDocument>(
      `select d.document_id as "documentId", d.code, d.name, d.path, d.entity_code as "entityCode", d.language, d.title,
         d.content_hash as "contentHash", d.text_object as "textObject", c.type_code as "typeCode", ${FOUND} as found
       from ingestion.document d
       left join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
       where d.document_id > $1 and ${WITH_TEXT} and ${visible.sql} order by d.document_id limit $2`,
      [after, SLICE, ...visible.params],
    );
  }
}
