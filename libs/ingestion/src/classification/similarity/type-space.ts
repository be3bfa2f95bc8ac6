import type { DocumentType } from '../../taxonomy/taxonomy';
import { analysisLanguage, type ExampleProfile } from './example-profile';
import { type TermWeights, termWeights } from './term-counts';

/** The texts of a boundary are dense: they count as much as so many examples. */
const INCLUDES_WEIGHT = { terms: 3, vector: 2 } as const;
/** Share of the similarity to `excludes` that is taken from that to `includes` and examples. */
const EXCLUDES_SHARE = 0.5;
const VECTOR_WEIGHT = 0.2;
/** Types without any of the terms that are counted with those of the taxonomy, so that one type alone has weights. */
const OTHER_TYPES = 8;
/** Pivot of the length of documents, and how much of the length beyond it is evened out. */
const PIVOT = { norm: 8, slope: 0.6 } as const;
/** How it was chosen, and on what: docs/adr/0030-how-a-type-is-decided.md. */
const THRESHOLD = 0.062;

/** The score of 0.5 is the threshold. */
export const LEAST_SCORE = 0.5;

const scoreOf = (similarity: number): number => (similarity <= 0 ? 0 : similarity / (similarity + THRESHOLD));

const lengthOf = (weights: TermWeights): number =>
  Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight * weight, 0));

const scaled = (weights: TermWeights, factor: number): TermWeights =>
  new Map([...weights].map(([term, weight]) => [term, weight * factor]));

const unit = (weights: TermWeights): TermWeights => scaled(weights, 1 / (lengthOf(weights) || 1));

const sum = (parts: readonly TermWeights[]): TermWeights => {
  const total = new Map<string, number>();
  for (const part of parts) for (const [term, weight] of part) total.set(term, (total.get(term) ?? 0) + weight);
  return total;
};

const cosine = (a: Float32Array, b: Float32Array): number => {
  let total = 0;
  for (let index = 0; index < a.length; index += 1) total += (a[index] ?? 0) * (b[index] ?? 0);
  return total;
};

interface TypeTexts {
  readonly code: string;
  readonly includes: TermWeights;
  readonly excludes: TermWeights;
  readonly examples: readonly TermWeights[];
  readonly profiles: readonly ExampleProfile[];
}

const textsOf = ({ code, boundary }: DocumentType, profiles: readonly ExampleProfile[]): TypeTexts => {
  const weightsOf = (text: string, language: string | null): TermWeights =>
    termWeights(text, analysisLanguage(text, language));
  const ofType = profiles.filter(({ typeCode }) => typeCode === code);
  const examples = ofType
    .filter(({ role }) => role === 'EXAMPLE')
    .map(({ text, language }) => weightsOf(text, language));
  const { includes, excludes } = boundary;
  return { code, includes: weightsOf(includes, null), excludes: weightsOf(excludes, null), examples, profiles: ofType };
};

/** Inverse document frequency over types (Robertson and Spärck Jones), relative to that of a term of no type. */
const frequencyWeights = (texts: readonly TypeTexts[]): ((term: string) => number) => {
  const counts = new Map<string, number>();
  for (const { includes, examples } of texts)
    for (const term of new Set([includes, ...examples].flatMap((weights) => [...weights.keys()])))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  const all = texts.length + OTHER_TYPES;
  const weightOf = (count: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5));
  return (term) => weightOf(counts.get(term) ?? 0) / weightOf(0);
};

interface Posting {
  readonly type: number;
  readonly weight: number;
}

/** What a document is compared by. */
export interface ComparedDocument {
  readonly terms: TermWeights;
  readonly vector: Float32Array | null;
}

/** The types of a taxonomy as terms and vectors. */
export class TypeSpace {
  private readonly postings = new Map<string, Posting[]>();
  private readonly texts: readonly TypeTexts[];
  private readonly frequencyWeight: (term: string) => number;

  /** @param floor mean cosine of unrelated passages under the embedder of the vectors */
  constructor(
    types: readonly DocumentType[],
    profiles: readonly ExampleProfile[],
    private readonly floor: number,
  ) {
    this.texts = types.map((type) => textsOf(type, profiles));
    this.frequencyWeight = frequencyWeights(this.texts);
    for (const [type, texts] of this.texts.entries()) this.addPostings(type, texts);
  }

  /** A score from 0 to 1 for each type, by code. */
  scores({ terms, vector }: ComparedDocument): ReadonlyMap<string, number> {
    const byTerms = this.termSimilarities(terms);
    return new Map(
      this.texts.map(({ code, profiles }, type) => {
        const byVector = vector === null ? 0 : this.vectorSimilarity(vector, profiles);
        return [code, scoreOf((byTerms[type] ?? 0) + VECTOR_WEIGHT * byVector)];
      }),
    );
  }

  /** How much a type gains by some terms. */
  gain(terms: Iterable<string>, type: string): number {
    const index = this.texts.findIndex(({ code }) => code === type);
    let gain = 0;
    for (const term of terms)
      for (const posting of this.postings.get(term) ?? []) if (posting.type === index) gain += posting.weight;
    return gain;
  }

  private weighted(weights: TermWeights): TermWeights {
    return new Map([...weights].map(([term, weight]) => [term, weight * this.frequencyWeight(term)]));
  }

  private addPostings(type: number, { includes, excludes, examples }: TypeTexts): void {
    const parts = [...examples, ...(includes.size > 0 ? [includes] : [])].map((part) => unit(this.weighted(part)));
    const last = parts.length - 1;
    const total = sum(
      parts.map((part, index) => (includes.size > 0 && index === last ? scaled(part, INCLUDES_WEIGHT.terms) : part)),
    );
    const without = scaled(unit(this.weighted(excludes)), -EXCLUDES_SHARE);
    for (const [term, weight] of sum([unit(total), without])) {
      const postings = this.postings.get(term) ?? [];
      postings.push({ type, weight });
      this.postings.set(term, postings);
    }
  }

  /** Cosine with pivoted length (Singhal, Buckley and Mitra 1996): longer documents are not held against themselves. */
  private termSimilarities(terms: TermWeights): Float64Array {
    const totals = new Float64Array(this.texts.length);
    const weighted = this.weighted(terms);
    for (const [term, weight] of weighted)
      for (const posting of this.postings.get(term) ?? [])
        totals[posting.type] = (totals[posting.type] ?? 0) + weight * posting.weight;
    const length = lengthOf(weighted);
    const norm = PIVOT.norm * (length / PIVOT.norm) ** PIVOT.slope;
    return length === 0 ? totals : totals.map((total) => total / norm);
  }

  private vectorSimilarity(vector: Float32Array, profiles: readonly ExampleProfile[]): number {
    let [total, count, excluded] = [0, 0, 0];
    for (const { role, vector: other } of profiles) {
      if (other?.length !== vector.length) continue;
      // Not clamped, so that the mean of unrelated texts is 0.
      const similarity = (cosine(vector, other) - this.floor) / (1 - this.floor);
      if (role === 'EXCLUDES') excluded = Math.max(0, similarity);
      else {
        const weight = role === 'INCLUDES' ? INCLUDES_WEIGHT.vector : 1;
        total += weight * similarity;
        count += weight;
      }
    }
    return (count === 0 ? 0 : Math.max(0, total / count)) - EXCLUDES_SHARE * excluded;
  }
}
