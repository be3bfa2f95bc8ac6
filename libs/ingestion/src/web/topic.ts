import { type LanguageCode, type Languages, queryTerms, sentences, tokenize, withoutGaps } from '@acervo/analysis';
import { calibratedSimilarity, cosine, type Embedder } from '@acervo/models';
import { vectorText } from './stored-vector';

/** How often a page has each term of a topic, and how near its meaning is. Small enough to be stored with a page. */
export interface Relevance {
  readonly counts: Readonly<Record<string, number>>;
  readonly similarity: number;
  /** Of the page; absent where a release before stored it. */
  readonly vector?: string;
  /** Tokens of the page; absent where a release before stored it. */
  readonly length?: number;
  /** The most frequent terms of the page, with or without the topic. */
  readonly profile: Readonly<Record<string, number>>;
}

export interface ReadText {
  readonly title: string;
  readonly text: string;
  readonly language: LanguageCode | null;
}

const TITLE_WEIGHT = 3;
const EMBEDDED_CHARACTERS = 2_000;
const EXCERPT_LENGTH = 300;
/** Share of the words in a score; the rest is the meaning. */
const LEXICAL_SHARE = 0.6;

/** Terms of a page that are stored with it. */
const PROFILE_TERMS = 150;

const repeated = (tokens: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => tokens).flat();

/** How often each token occurs, the most frequent ones first. */
const countsOf = (tokens: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
};

const fewest = (text: string): string =>
  text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH - 1)}…`;

/** A topic in words of its user. Pages are compared with it by the analysis and the embedder of the search. */
export class Topic {
  private constructor(
    private readonly terms: ReadonlySet<string>,
    private readonly vector: Float32Array,
    private readonly embedder: Embedder,
    private readonly languages: Languages,
  ) {}

  static async of(text: string, embedder: Embedder, languages: Languages): Promise<Topic> {
    const [vector = new Float32Array()] = await embedder.embed([text], 'query');
    return new Topic(new Set(queryTerms(text, languages).split(' ')), vector, embedder, languages);
  }

  async relevanceOf({ title, text, language }: ReadText): Promise<Relevance> {
    const [vector = new Float32Array()] = await this.embedder.embed(
      [`${title}\n${text.slice(0, EMBEDDED_CHARACTERS)}`],
      'passage',
    );
    const tokens = [...this.tokensOf(text, language), ...repeated(this.tokensOf(title, language), TITLE_WEIGHT)];
    const counts = countsOf(tokens);
    return {
      counts: Object.fromEntries(counts.filter(([term]) => this.terms.has(term))),
      similarity: calibratedSimilarity(cosine(this.vector, vector), this.embedder.embeddingModel.floor),
      ...{ vector: vectorText(vector), length: tokens.length },
      profile: Object.fromEntries(counts.slice(0, PROFILE_TERMS)),
    };
  }

  /** From 0 to 1, without a comparison with other pages. */
  promiseOf({ counts, similarity }: Relevance): number {
    return LEXICAL_SHARE * (Object.keys(counts).length / this.size) + (1 - LEXICAL_SHARE) * similarity;
  }

  /** The share of the topic that a few words of a link name. */
  hintOf(words: string): number {
    return new Set(this.termsIn(words, null)).size / this.size;
  }

  /** The sentence that names most of the topic. */
  excerptOf({ text, language }: ReadText): string {
    const found = sentences(text).map(({ start, end }) => text.slice(start, end));
    const rated = found.map((sentence) => ({ sentence, terms: new Set(this.termsIn(sentence, language)).size }));
    const best = rated.reduce((a, b) => (b.terms > a.terms ? b : a), { sentence: text, terms: 0 });
    return fewest(withoutGaps(best.sentence));
  }

  private get size(): number {
    return Math.max(1, this.terms.size);
  }

  private termsIn(words: string, language: LanguageCode | null): string[] {
    return this.tokensOf(words, language).filter((term) => this.terms.has(term));
  }

  private tokensOf(words: string, language: LanguageCode | null): string[] {
    return (language === null ? this.languages : [language]).flatMap((each) => tokenize(words, each));
  }
}
