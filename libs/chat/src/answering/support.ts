import { type LanguageCode, type Range, sentences } from '@acervo/analysis';
import { type AnalysedText, analyse } from './support/analysed-text';
import { agreesOnPlaces } from './support/association';
import { agreesOnSides } from './support/contrasts';
import { isSameLiteral, literalText, type LiteralText } from './support/literal-match';
import type { Literal } from './support/literals';
import { agreesOnNames, passageWords, type PassageWords } from './support/name-match';
import { agreesOnNegation, hasPermission } from './support/negation';
import { hasTerm } from './support/terms';
import { WordForms } from './support/word-forms';

/** What a sentence is compared with. */
export interface SupportSource {
  readonly text: string;
  readonly documentName: string;
  readonly language: LanguageCode;
}

/** Why a passage does not support a sentence. */
export type Objection = 'length' | 'terms' | 'literals' | 'names' | 'negation' | 'opposites' | 'places';

export type Support =
  ({ readonly isSupported: true } & Range) | { readonly isSupported: false; readonly objection: Objection };

const CONTRADICTIONS: ReadonlySet<Objection> = new Set(['negation', 'opposites', 'places']);

/** Characters of a sentence that is compared at all. */
const LONGEST_SENTENCE = 1_000;
/** Characters of a part of a passage: a longer sentence, such as a table, is cut at lines and words. */
const LONGEST_PART = 700;
/** Parts in a row that support one sentence together. */
const MOST_PARTS = 3;
/** Share of the terms of a sentence that its quote has; one that stands elsewhere in the passage counts half. */
export const LEAST_COVERAGE = 0.5;
const ELSEWHERE = 0.5;
const LITERAL = 0.5;
/** A quote with fewer of the terms than this share of the best one is about something else. */
const SHARE_OF_BEST = 0.8;
const MOST_WINDOWS = 12;

const cutPoint = (text: string, start: number, most: number): number => {
  const line = text.lastIndexOf('\n', start + most);
  if (line > start + most / 2) return line + 1;
  const space = text.lastIndexOf(' ', start + most);
  if (space > start + most / 2) return space + 1;
  const code = text.charCodeAt(start + most);
  return start + most - (code >= 0xdc00 && code <= 0xdfff ? 1 : 0);
};

const cut = (text: string, { start, end }: Range): Range[] => {
  const parts: Range[] = [];
  for (let from = start; from < end;) {
    const until = end - from <= LONGEST_PART ? end : cutPoint(text, from, LONGEST_PART);
    parts.push({ start: from, end: until });
    from = until;
  }
  return parts;
};

const trimmed = (text: string, { start, end }: Range): Range => {
  const part = text.slice(start, end);
  return { start: end - part.trimStart().length, end: start + part.trimEnd().length };
};

interface Part extends Range {
  readonly analysed: AnalysedText;
  /** Whether a blank line stands before it: no quote goes across. */
  readonly isFirst: boolean;
}

/** A passage, analysed once for all sentences that are compared with it. */
export class SupportIndex {
  private readonly parts: readonly Part[];
  private readonly words: PassageWords;
  private readonly keys: ReadonlySet<string>;
  private readonly literals: LiteralText;
  /** Runs of parts that were compared before. */
  private readonly analysed = new Map<string, AnalysedText>();
  private readonly languages: readonly [LanguageCode, ...LanguageCode[]];

  /** @param language that of the sentences */
  constructor(
    private readonly source: SupportSource,
    private readonly language: LanguageCode,
    private readonly forms = new WordForms(),
  ) {
    const { text, documentName } = source;
    this.languages = source.language === language ? [language] : [source.language, language];
    const ranges = sentences(text)
      .flatMap((range) => cut(text, range))
      .map((range) => trimmed(text, range));
    this.parts = ranges.map((range, index) => ({
      ...range,
      analysed: analyse(text.slice(range.start, range.end), this.languages, forms),
      isFirst: /\n\s*\n/.test(text.slice(ranges[index - 1]?.end ?? 0, range.start)),
    }));
    this.words = passageWords(`${text}\n${documentName}`);
    this.literals = literalText(this.parts.flatMap(({ analysed }) => analysed.literals));
    this.keys = new Set(this.parts.flatMap(({ analysed }) => [...analysed.keys]));
  }

  /** Whether the passage supports a sentence, and the sentences of the passage that do. */
  supportOf(sentence: string): Support {
    if (sentence.length > LONGEST_SENTENCE) return { isSupported: false, objection: 'length' };
    const others = this.languages.filter((each) => each !== this.language);
    const analysed = analyse(sentence, [this.language, ...others], this.forms);
    const same = this.parts.find((part) => analysed.line !== '' && part.analysed.line === analysed.line);
    if (same !== undefined) return { isSupported: true, start: same.start, end: same.end };
    if (analysed.terms.length === 0 && analysed.literals.length === 0)
      return { isSupported: false, objection: 'terms' };
    let first: Objection | undefined;
    for (const { range, text } of this.windowsFor(analysed)) {
      const objection = this.objectionTo(analysed, text);
      if (objection === undefined) return { isSupported: true, ...range };
      first ??= objection;
      // A quote with less of the sentence lacks what contradicts it.
      if (CONTRADICTIONS.has(objection)) break;
    }
    return { isSupported: false, objection: first ?? 'terms' };
  }

  /** The quotes that may support a sentence, best first, the shorter of two equal ones first. */
  private windowsFor(sentence: AnalysedText): { range: Range; text: AnalysedText }[] {
    const hits = this.parts.map(({ analysed }) => this.hitsOf(sentence, [analysed]));
    const order = [...hits.keys()].toSorted((a, b) => (hits[b] ?? 0) - (hits[a] ?? 0)).slice(0, MOST_WINDOWS);
    const windows = order
      .flatMap((part) => this.windowsAround(part))
      .map(([from, to]) => ({
        from,
        to,
        hits: this.hitsOf(
          sentence,
          this.parts.slice(from, to).map(({ analysed }) => analysed),
        ),
      }));
    const best = Math.max(0, ...windows.map((window) => window.hits));
    const distinct = new Map(windows.map((window) => [`${String(window.from)} ${String(window.to)}`, window]));
    return [...distinct.values()]
      .filter((window) => window.hits >= SHARE_OF_BEST * best)
      .toSorted((a, b) => b.hits - a.hits || a.to - a.from - (b.to - b.from) || a.from - b.from)
      .slice(0, MOST_WINDOWS)
      .map(({ from, to }) => this.windowAt(from, to));
  }

  private windowAt(from: number, to: number): { range: Range; text: AnalysedText } {
    const range = { start: this.parts[from]?.start ?? 0, end: this.parts[to - 1]?.end ?? 0 };
    const key = `${String(from)} ${String(to)}`;
    const only = to - from === 1 ? this.parts[from]?.analysed : this.analysed.get(key);
    const text = only ?? analyse(this.source.text.slice(range.start, range.end), this.languages, this.forms);
    this.analysed.set(key, text);
    return { range, text };
  }

  /** Runs of at most three parts of one paragraph that contain a part. */
  private windowsAround(part: number): [number, number][] {
    const windows: [number, number][] = [];
    for (let from = Math.max(0, part - MOST_PARTS + 1); from <= part; from += 1)
      for (let to = part + 1; to <= Math.min(this.parts.length, from + MOST_PARTS); to += 1)
        if (!this.parts.slice(from + 1, to).some(({ isFirst }) => isFirst)) windows.push([from, to]);
    return windows;
  }

  private hitsOf(sentence: AnalysedText, texts: readonly AnalysedText[]): number {
    const terms = sentence.terms.filter((term) => texts.some(({ keys }) => hasTerm(keys, term))).length;
    const literals = sentence.literals.filter((one) =>
      texts.some((text) => text.literals.some((other) => isSameLiteral(one, other, text))),
    ).length;
    return terms + literals;
  }

  private objectionTo(sentence: AnalysedText, text: AnalysedText): Objection | undefined {
    if (!this.covers(sentence, text)) return 'terms';
    if (!agreesOnLiterals(sentence, text, this.literals)) return 'literals';
    if (!agreesOnNames(sentence, text, this.words)) return 'names';
    if (!agreesOnNegation(sentence.negations, text.negations, sentence.terms, hasPermission(sentence.tokens)))
      return 'negation';
    if (!agreesOnSides(sentence.sides, text.sides)) return 'opposites';
    return agreesOnPlaces(sentence, text) ? undefined : 'places';
  }

  /** Literals count half: that they stand in the quote is checked by itself. */
  private covers({ terms, literals }: AnalysedText, text: AnalysedText): boolean {
    const near = terms.filter((term) => hasTerm(text.keys, term)).length;
    const elsewhere = terms.filter((term) => hasTerm(this.keys, term)).length - near;
    const stated = LITERAL * literals.length;
    return near + ELSEWHERE * elsewhere + stated >= LEAST_COVERAGE * (terms.length + stated);
  }
}

/** Identifiers and years, which a text states once for all its sentences. */
const isStatedOnce = (literal: Literal): boolean =>
  literal.kind === 'identifier' || (literal.kind === 'date' && literal.dates.every(({ month }) => month === null));

/**
 * Whether each number, date, time and identifier of a sentence stands in the text.
 * @param passage the literals of the whole passage, for what the text has none of
 */
const agreesOnLiterals = (sentence: AnalysedText, text: AnalysedText, passage: LiteralText): boolean =>
  sentence.literals.every((one) => {
    if (text.literals.some((other) => isSameLiteral(one, other, text))) return true;
    const hasRivals = text.literals.some((other) => other.kind === one.kind);
    if (one.kind === 'ordinal') return !hasRivals;
    if (one.kind === 'number' && one.isArticle) return one.unit === null || !hasRivals;
    return isStatedOnce(one) && !hasRivals && passage.literals.some((other) => isSameLiteral(one, other, passage));
  });
