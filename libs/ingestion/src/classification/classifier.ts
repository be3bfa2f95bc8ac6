import { sentences, tokenize } from '@acervo/analysis';
import { TypeTree } from '../taxonomy/type-tree';
import {
  type ClassifiableDocument,
  type Evidence,
  type FoundFeature,
  type ModelChoice,
  type ModelFeature,
  type ModelFindings,
  NO_FINDINGS,
  NO_TYPE,
  type TypeDecision,
} from './classified';
import { CompiledFeature } from './features/compiled-feature';
import { DocumentReading } from './reading';
import { CompiledBoundary } from './rules/compiled-boundary';
import { RuleUnusable } from '../taxonomy/patterns/pattern';
import { analysisLanguage, type ExampleProfile, termsText } from './similarity/example-profile';
import { termWeights } from './similarity/term-counts';
import { LEAST_SCORE, TypeSpace } from './similarity/type-space';
import { type DocumentType, type Feature, type FeatureCategory, isAsked, type Taxonomy } from '../taxonomy/taxonomy';

/** Sentences that are quoted for a type by similarity, and the characters that they are chosen from. */
const QUOTED = { sentences: 2, reads: 2_000 } as const;

/** A smaller lead over the next type leaves the type to a model. */
const LEAST_MARGIN = 0.1;
/** Types that a model chooses among. */
const MOST_CANDIDATES = 12;

interface Candidate {
  readonly type: DocumentType;
  readonly score: number;
}

/** What rules and similarity decide, and the candidates that they leave to a model, the best first. */
interface OpenDecision {
  readonly decision: TypeDecision;
  readonly candidates: readonly Candidate[];
}

/** What a classifier answers about a document. */
export interface DecidedDocument {
  readonly decision: TypeDecision;
  readonly features: readonly FoundFeature[];
  /** The types that rules and similarity leave to a model; empty where they decide for themselves. */
  readonly candidates: readonly string[];
}

const byScore = (a: Candidate, b: Candidate): number => b.score - a.score || (a.type.code < b.type.code ? -1 : 1);

/** Decides the types and finds the features of documents under one version of a taxonomy. */
export class Classifier {
  private readonly tree: TypeTree;
  private readonly space: TypeSpace;
  private readonly boundaries: ReadonlyMap<string, CompiledBoundary>;
  private readonly featuresOf: ReadonlyMap<string, readonly CompiledFeature[]>;

  /**
   * @param examples with the vectors of boundary texts; all vectors are of one embedder
   * @param floor mean cosine of unrelated passages under that embedder
   */
  constructor(
    private readonly taxonomy: Taxonomy,
    examples: readonly ExampleProfile[],
    floor = 0,
  ) {
    const { types, categories, features } = taxonomy;
    this.tree = new TypeTree(types);
    this.space = new TypeSpace(types, examples, floor);
    this.boundaries = new Map(
      types.flatMap(({ code, boundary }) => {
        const compiled = usable(() => new CompiledBoundary(boundary.rules));
        return compiled === undefined ? [] : [[code, compiled] as const];
      }),
    );
    this.featuresOf = new Map(categories.map((category) => [category.code, compiledFeatures(category, features)]));
  }

  /**
   * The type of a document. A deciding rule comes before similarity; the deepest type comes before those above it.
   * @param vector of `openingText`; null where no embedder answers, so that terms decide alone
   */
  decide(document: ClassifiableDocument, vector: Float32Array | null): TypeDecision {
    return this.decided(new DocumentReading(document), vector).decision;
  }

  /** The features of a type and of the types above it that a document has, each at most once. */
  features(document: ClassifiableDocument, typeCode: string): readonly FoundFeature[] {
    return this.found(new DocumentReading(document), typeCode);
  }

  /**
   * The type of a document and its features; its text is folded once for both. Rules come first, then what a model chose
   * among the candidates, then similarity; of a feature, rules come first, then what a model found.
   */
  classify(
    document: ClassifiableDocument,
    vector: Float32Array | null,
    { choice, features }: ModelFindings = NO_FINDINGS,
  ): DecidedDocument {
    const reading = new DocumentReading(document);
    const open = this.decided(reading, vector);
    const decision = this.chosen(open, choice, reading);
    const { typeCode } = decision;
    const byRules = typeCode === null ? [] : this.found(reading, typeCode);
    const byModel = typeCode === null ? [] : this.foundByModel(reading, typeCode, features);
    return {
      decision,
      features: [...byRules, ...byModel.filter((feature) => !byRules.some((other) => isSame(feature, other)))],
      candidates: open.candidates.map(({ type }) => type.code),
    };
  }

  private decided(reading: DocumentReading, vector: Float32Array | null): OpenDecision {
    const admitted = this.admitted(reading);
    const byRule = admitted.filter(({ code }) => this.boundaries.get(code)?.decides === true);
    if (byRule.length > 0) return { decision: this.ruled(byRule, reading, vector), candidates: [] };
    const scored = this.scored(admitted, reading, vector).toSorted(byScore);
    const decision = this.similar(scored, reading);
    return { decision, candidates: this.left(decision, scored).slice(0, MOST_CANDIDATES) };
  }

  /** Without a type, all that rules admit; with one whose lead is small, this one and those close behind it. */
  private left({ typeCode, score, margin }: TypeDecision, scored: readonly Candidate[]): readonly Candidate[] {
    if (typeCode === null) return scored;
    if (margin >= LEAST_MARGIN) return [];
    return scored.filter(
      ({ type: { code }, score: other }) =>
        code === typeCode || (other > Math.max(0, score - LEAST_MARGIN) && !this.tree.isOnOnePath(code, typeCode)),
    );
  }

  /** The choice of a model, where it is among the candidates and its evidence stands in the text. */
  private chosen(
    { decision, candidates }: OpenDecision,
    choice: ModelChoice | null,
    { document }: DocumentReading,
  ): TypeDecision {
    const candidate = candidates.find(({ type }) => type.code === choice?.typeCode);
    if (candidate === undefined || choice === null || !stands(document, choice.evidence)) return decision;
    const { type, score } = candidate;
    return { ...this.decision(type.code, score, candidates), source: 'MODEL', evidence: [choice.evidence] };
  }

  /** What a model found of the features that have a prompt, as long as their values are of the same kind. */
  private foundByModel(
    { document }: DocumentReading,
    typeCode: string,
    found: readonly ModelFeature[],
  ): readonly FoundFeature[] {
    const above = new Set(this.tree.upwards(typeCode));
    const kinds = new Map(
      this.taxonomy.categories
        .filter((category) => above.has(category.typeCode))
        .map(({ code, valueKind }) => [code, valueKind]),
    );
    return found
      .filter(
        (feature) =>
          kinds.get(feature.categoryCode) === feature.valueKind &&
          stands(document, feature) &&
          this.taxonomy.features.some((asked) => isAsked(asked) && isSame(asked, feature)),
      )
      .map(({ valueKind: _, ...feature }) => feature);
  }

  private found(reading: DocumentReading, typeCode: string): readonly FoundFeature[] {
    const above = new Set(this.tree.upwards(typeCode));
    return this.taxonomy.categories
      .filter((category) => above.has(category.typeCode))
      .flatMap(({ code }) => this.featuresOf.get(code) ?? [])
      .flatMap((feature) => feature.find(reading) ?? []);
  }

  /** The types whose rules, and those of all types above, admit a document. */
  private admitted(reading: DocumentReading): readonly DocumentType[] {
    const { entityCode: entity } = reading.document;
    const open = this.taxonomy.types.filter(({ entityCode }) => entityCode === null || entityCode === entity);
    const admitting = new Set(
      open.flatMap(({ code }) => (this.boundaries.get(code)?.admits(reading) === true ? [code] : [])),
    );
    return open.filter(({ code }) => this.tree.upwards(code).every((above) => admitting.has(above)));
  }

  private scored(
    types: readonly DocumentType[],
    { document }: DocumentReading,
    vector: Float32Array | null,
  ): readonly Candidate[] {
    const text = termsText(document);
    const terms = termWeights(text, analysisLanguage(text, document.language));
    const scores = this.space.scores({ terms, vector });
    return types.map((type) => ({ type, score: scores.get(type.code) ?? 0 }));
  }

  /** The deepest type; similarity is asked among equally deep ones only. All that match by rule count 1. */
  private ruled(byRule: readonly DocumentType[], reading: DocumentReading, vector: Float32Array | null): TypeDecision {
    const depths = byRule.map(({ code }) => this.tree.upwards(code).length);
    const deepest = byRule.filter((_, index) => depths[index] === Math.max(...depths));
    const best = deepest.length > 1 ? this.scored(deepest, reading, vector).toSorted(byScore)[0]?.type : deepest[0];
    if (best === undefined) return NO_TYPE;
    const all = byRule.map((type) => ({ type, score: 1 }));
    const evidence = this.boundaries.get(best.code)?.evidence(reading) ?? [];
    return { ...this.decision(best.code, 1, all), source: 'RULE', evidence };
  }

  private similar(candidates: readonly Candidate[], reading: DocumentReading): TypeDecision {
    const sorted = candidates.toSorted(byScore);
    const over = sorted.filter(({ score }) => score >= LEAST_SCORE);
    let best = over[0];
    if (best === undefined) return nearest(sorted);
    for (let below: Candidate | undefined = best; below !== undefined;) {
      best = below;
      const { code }: DocumentType = best.type;
      below = over.find(({ type }) => type.parentCode === code);
    }
    const { type, score } = best;
    return {
      ...this.decision(type.code, score, sorted),
      source: 'SIMILARITY',
      evidence: this.quotes(type.code, reading),
    };
  }

  /** The lead over the best type that is neither above nor below the decided one. */
  private decision(typeCode: string, score: number, all: readonly Candidate[]): TypeDecision {
    const rival = all.filter(({ type }) => !this.tree.isOnOnePath(type.code, typeCode)).toSorted(byScore)[0];
    const runnerUp = rival === undefined || rival.score === 0 ? undefined : rival;
    const margin = Math.max(0, score - (runnerUp?.score ?? 0));
    return { ...NO_TYPE, typeCode, score, margin, runnerUp: runnerUp?.type.code ?? null };
  }

  /** The sentences near the beginning that gain most for a type. */
  private quotes(typeCode: string, reading: DocumentReading): readonly Evidence[] {
    const { text, language } = reading.document;
    const code = analysisLanguage(text, language);
    const opening = text.slice(0, QUOTED.reads);
    return sentences(opening)
      .map(({ start, end }) => {
        const terms = new Set(tokenize(opening.slice(start, end), code).map((token) => `=${token}`));
        return { start, end, gain: this.space.gain(terms, typeCode) };
      })
      .filter(({ gain }) => gain > 0)
      .toSorted((a, b) => b.gain - a.gain)
      .slice(0, QUOTED.sentences)
      .map(({ start, end }) => reading.evidence(start, end));
  }
}

interface FeatureCodes {
  readonly categoryCode: string;
  readonly code: string;
}

const isSame = (one: FeatureCodes, other: FeatureCodes): boolean =>
  one.categoryCode === other.categoryCode && one.code === other.code;

/** Whether the text of a document has a quote at its range. */
const stands = ({ text }: ClassifiableDocument, { startAt, endAt, quote }: Evidence): boolean =>
  text.slice(startAt, endAt) === quote;

/** No type; the score and the runner-up are those of the nearest one. */
const nearest = ([first]: readonly Candidate[]): TypeDecision =>
  first === undefined || first.score === 0 ? NO_TYPE : { ...NO_TYPE, score: first.score, runnerUp: first.type.code };

const compiledFeatures = (category: FeatureCategory, features: readonly Feature[]): readonly CompiledFeature[] =>
  features
    .filter(({ categoryCode }) => categoryCode === category.code)
    .flatMap((feature) => usable(() => new CompiledFeature(feature, category)) ?? []);

/** A type whose rule cannot be compiled admits no document, and such a feature is found in none. */
function usable<T>(compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof RuleUnusable) return undefined;
    throw error;
  }
}
