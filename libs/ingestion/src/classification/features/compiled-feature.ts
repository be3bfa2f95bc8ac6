import type { FoundFeature } from '../classified';
import type { DocumentReading } from '../reading';
import { comparable } from '../../taxonomy/patterns/folded-text';
import { Pattern } from '../../taxonomy/patterns/pattern';
import type { Feature, FeatureCategory } from '../../taxonomy/taxonomy';
import { matchAt } from './scanner';
import { valueAt, valueOf } from './values';

const MOST_MATCHES = 32;
const LETTER = /[\p{L}\p{N}]/u;
/** What stands between a phrase and its value: marks, and at most three small words. */
const BETWEEN =
  /[\s:.\-–—=|#()*]*(?:(?:de|del|el|la|los|las|es|a|al|d[ií]a|is|of|on|the|by|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?!\p{L})[\s:,.\-–—=|]*){0,3}/iuy;
/** Phrases are found word by word; patterns say more of what they mean. */
const CONFIDENCE = { pattern: 0.95, phrase: 0.9 } as const;

interface Range {
  readonly start: number;
  readonly end: number;
}
interface Found extends Range {
  readonly value: string | null;
  readonly base: number;
}

const isWord = (text: string, start: number, end: number): boolean =>
  !LETTER.test(text[start - 1] ?? '') && !LETTER.test(text[end] ?? '');

function* places(folded: string, phrase: string): Iterable<number> {
  for (let at = folded.indexOf(phrase); at >= 0; at = folded.indexOf(phrase, at + 1))
    if (isWord(folded, at, at + phrase.length)) yield at;
}

const trimmed = (text: string, { start, end }: Range): Range => {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from] ?? '')) from += 1;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to -= 1;
  return { start: from, end: to };
};

/** The rule of a feature, compiled once for many documents. */
export class CompiledFeature {
  private readonly pattern: Pattern | undefined;
  private readonly phrases: ReadonlyMap<string, readonly string[]>;

  /** @throws RuleUnusable */
  constructor(
    private readonly feature: Feature,
    private readonly category: Pick<FeatureCategory, 'kind' | 'valueKind'>,
  ) {
    const { pattern, phrases } = feature.rule;
    this.pattern = pattern === null ? undefined : Pattern.of(pattern);
    this.phrases = new Map(
      Object.entries(phrases).map(([language, texts]) => [
        language,
        texts.map((text) => comparable(text).trim()).filter((text) => text !== ''),
      ]),
    );
  }

  /** The feature as the text first states it; confidence is the share of its statements that agree. */
  find(reading: DocumentReading): FoundFeature | undefined {
    const all = [...this.statements(reading)].slice(0, MOST_MATCHES);
    const first = all.toSorted((a, b) => a.start - b.start)[0];
    if (first === undefined) return undefined;
    const { categoryCode, code } = this.feature;
    const agreeing = all.filter(({ value }) => value === first.value).length / all.length;
    const confidence = Math.round(first.base * agreeing * 1_000) / 1_000;
    const evidence = reading.evidence(first.start, first.end);
    return { categoryCode, code, value: first.value, source: 'RULE', confidence, ...evidence };
  }

  private *statements(reading: DocumentReading): Iterable<Found> {
    if (this.pattern !== undefined) yield* this.byPattern(this.pattern, reading);
    yield* this.byPhrases(reading);
  }

  private *byPattern(pattern: Pattern, reading: DocumentReading): Iterable<Found> {
    const { valueKind } = this.category;
    const { text } = reading.text;
    let count = 0;
    for (const match of pattern.matches(reading.text)) {
      if ((count += 1) > MOST_MATCHES) return;
      const range = trimmed(text, match.value ?? match);
      if (range.end === range.start) continue;
      const stated = valueKind === null ? { value: null } : valueOf(valueKind, text, range, reading.document.language);
      if (stated !== undefined) yield { ...range, ...stated, base: CONFIDENCE.pattern };
    }
  }

  private *byPhrases(reading: DocumentReading): Iterable<Found> {
    const folded = reading.text;
    for (const phrase of this.phrasesOf(reading.document.language)) {
      let count = 0;
      for (const place of places(folded.folded, phrase)) {
        if ((count += 1) > MOST_MATCHES) break;
        const found = this.stated(folded.text, folded.range(place, place + phrase.length), reading);
        if (found !== undefined) yield { ...found, base: CONFIDENCE.phrase };
      }
    }
  }

  /** What a phrase states: itself, or the value right behind it. */
  private stated(text: string, phrase: Range, { document }: DocumentReading): Omit<Found, 'base'> | undefined {
    const { valueKind } = this.category;
    if (valueKind === null) return { ...phrase, value: null };
    const start = phrase.end + (matchAt(BETWEEN, text, phrase.end)?.[0].length ?? 0);
    const read = valueAt(valueKind, text, start, document.language);
    return read === undefined ? undefined : { start, ...read };
  }

  /** The phrases of the language of a document; all of them where it has none. */
  private phrasesOf(language: string | null): readonly string[] {
    return this.phrases.get(language ?? '') ?? [...this.phrases.values()].flat();
  }
}
