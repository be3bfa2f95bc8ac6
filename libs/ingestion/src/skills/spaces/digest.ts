import { fold, languageOf, type Languages, tokenize } from '@acervo/analysis';
import { MOST_STATEMENTS } from '@acervo/contracts';
import type { StoredResult, StoredStatement } from '../citations';

/** What a skill found in one document of a space. */
export interface DigestSource {
  readonly documentId: string;
  readonly result: StoredResult;
}

type CitationOf<T> = T & { readonly documentId: string };

/** A statement as it is stored of a space: each citation names its document. */
export interface SpaceStatement extends Omit<StoredStatement, 'citations'> {
  readonly citations: readonly CitationOf<StoredStatement['citations'][number]>[];
}

export interface Digest {
  readonly statements: readonly SpaceStatement[];
  /**
   * Quotes of cited documents that were dropped, and those of the model that read the statements of all documents: a
   * dropped quote belongs to none of them.
   */
  readonly dropped: number;
  readonly omitted: number;
}

/** Statements that begin with the same document. */
const MOST_OF_DOCUMENT = 2;
const MOST_CITATIONS = 20;
/** Two statements that share this much of their words say the same. */
const ALIKE = 0.6;

/** A statement of a document that the digest may have. */
export interface Candidate extends SpaceStatement {
  readonly key: string;
  /** Its document among those of the space, from 0. */
  readonly place: number;
  readonly tokens: ReadonlySet<string>;
}

interface Scored extends Candidate {
  readonly score: number;
}

/** What equal sentences have in common. */
export const keyOf = (text: string): string => fold(text).replaceAll(/\s+/g, ' ').trim();

/** The statements of all documents; those of equal words are one, which cites each of them. */
export const candidatesOf = (sources: readonly DigestSource[], languages: Languages): Candidate[] => {
  const byKey = new Map<string, Candidate>();
  for (const [place, { documentId, result }] of sources.entries()) {
    const language = languageOf(result.statements.map(({ text }) => text).join('\n'), languages);
    for (const statement of result.statements) {
      const key = keyOf(statement.text);
      const citations = statement.citations.map((citation) => ({ documentId, ...citation }));
      const earlier = byKey.get(key);
      const tokens = earlier?.tokens ?? new Set(tokenize(statement.text, language));
      const cited = [...(earlier?.citations ?? []), ...citations].slice(0, MOST_CITATIONS);
      byKey.set(key, { ...(earlier ?? { ...statement, key, place }), tokens, citations: cited });
    }
  }
  return [...byKey.values()];
};

/** A statement weighs by how many statements of the space share its words, those that cite several documents more. */
const scored = (candidates: readonly Candidate[]): Scored[] => {
  const weights = new Map<string, number>();
  for (const { tokens } of candidates) for (const token of tokens) weights.set(token, (weights.get(token) ?? 0) + 1);
  return candidates.map((candidate) => {
    const { tokens, citations } = candidate;
    const weight = [...tokens].reduce((sum, token) => sum + Math.log1p(weights.get(token) ?? 0), 0);
    return { ...candidate, score: (weight / Math.sqrt(tokens.size + 4)) * (1 + Math.log(citations.length || 1)) };
  });
};

const isLike = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const shared = [...one].filter((token) => other.has(token)).length;
  return shared > 0 && shared / (one.size + other.size - shared) >= ALIKE;
};

/** The best statements: one of each document as far as they fit, then a second one. None says what another one says. */
const chosenOf = (ranked: readonly Candidate[]): Candidate[] => {
  const chosen: Candidate[] = [];
  for (let most = 1; most <= MOST_OF_DOCUMENT; most += 1)
    for (const candidate of ranked) {
      if (chosen.length >= MOST_STATEMENTS) return chosen;
      if (chosen.filter(({ place }) => place === candidate.place).length >= most) continue;
      if (chosen.some(({ tokens }) => isLike(tokens, candidate.tokens))) continue;
      chosen.push(candidate);
    }
  return chosen;
};

const startOf = ({ citations: [first] }: SpaceStatement): number => first?.startAt ?? 0;

/**
 * The best of ranked statements, in the order of their documents. What is dropped and omitted counts documents that are
 * cited alone: a reader of the digest sees these.
 */
export const assembled = (
  sources: readonly DigestSource[],
  candidates: readonly Candidate[],
  ranked: readonly Candidate[],
): Digest => {
  const statements = chosenOf(ranked)
    .toSorted((a, b) => a.place - b.place || startOf(a) - startOf(b))
    .map(({ text, value, label, citations }) => ({ text, value, label, citations }));
  const cited = new Set(statements.flatMap(({ citations }) => citations.map(({ documentId }) => documentId)));
  const ofCited = sources.filter(({ documentId }) => cited.has(documentId));
  const found = candidates.filter(({ citations }) => citations.some(({ documentId }) => cited.has(documentId)));
  return {
    statements,
    dropped: ofCited.reduce((sum, { result }) => sum + result.dropped, 0),
    omitted: found.length - statements.length,
  };
};

/**
 * What best says what documents are about, in their order. The statements are those of the documents, in their words and
 * languages. The same documents give the same digest.
 */
export const digestOf = (sources: readonly DigestSource[], languages: Languages): Digest => {
  const candidates = candidatesOf(sources, languages);
  const ranked = scored(candidates).toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  return assembled(sources, candidates, ranked);
};
