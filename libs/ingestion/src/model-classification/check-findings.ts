import type { ExtractedText, Range } from '@acervo/analysis';
import { pageStartsOf, textOf } from '../classification/classify-job';
import type { ModelChoice, ModelFeature, ModelFindings } from '../classification/classified';
import { matchingValue } from '../classification/features/matching-value';
import { evidenceAt } from '../classification/reading';
import { cpuJob } from '../cpu/cpu';
import type { SliceAnswer } from '../skills/model/cite-answers';
import type { FoundStatement } from '../skills/model/found-statements';
import { leadsOutside, Words } from '../skills/model/standing';
import type { AskedFeature } from './question';

/** Rules are surer of what they find. */
const CONFIDENCE = 0.75;
/** Shorter words stand in almost any text. */
const SHORTEST_QUOTE = 4;
/** Characters of a quote that is looked up. */
const MOST_WRITTEN = 2_000;

export interface FindingsJob {
  /** The extracted text of the document, as it is stored. */
  readonly text: Uint8Array;
  readonly language: string | null;
  readonly answers: readonly SliceAnswer[];
  /** Null where the type is chosen. */
  readonly features: readonly AskedFeature[] | null;
}

/** What stands in the text, and the number of answers that do not. */
export interface CheckedFindings {
  readonly findings: ModelFindings;
  readonly dropped: number;
}

/** A text in which quotes of a model are looked up. */
class QuotedText {
  readonly text: string;
  readonly pageStarts: readonly number[];

  constructor(
    extracted: ExtractedText,
    private readonly language: string | null,
  ) {
    this.text = extracted.text;
    this.pageStarts = pageStartsOf(extracted);
  }

  /** Where a quote stands in a part of the text, if it may be shown. */
  placeOf(part: Words, quote: string): Range | undefined {
    const place = quote.length > MOST_WRITTEN ? undefined : part.placeOf(quote);
    if (place === undefined || place.end - place.start < SHORTEST_QUOTE) return undefined;
    return leadsOutside(this.text.slice(place.start, place.end)) ? undefined : place;
  }

  choice(part: Words, { quote, value }: FoundStatement): ModelChoice | undefined {
    const place = this.placeOf(part, quote);
    if (place === undefined || value === null) return undefined;
    return { typeCode: value, evidence: evidenceAt(this, place.start, place.end) };
  }

  /** The feature with its value in canonical form, whose evidence is the value alone. */
  feature(part: Words, { quote, value }: FoundStatement, asked: AskedFeature): ModelFeature | undefined {
    const place = this.placeOf(part, quote);
    if (place === undefined) return undefined;
    const { categoryCode, code, valueKind } = asked;
    const common = { categoryCode, code, valueKind, source: 'MODEL', confidence: CONFIDENCE } as const;
    if (valueKind === null) return { ...common, value: null, ...evidenceAt(this, place.start, place.end) };
    const found = value === null ? undefined : matchingValue(valueKind, this.text, place, this.language, value);
    return found && { ...common, value: found.value, ...evidenceAt(this, found.start, found.end) };
  }
}

/** Each feature once, as the text first states it; confidence is the share of its statements that agree. */
const eachOnce = (found: readonly ModelFeature[]): ModelFeature[] => {
  const sorted = found.toSorted((a, b) => a.startAt - b.startAt || a.endAt - b.endAt);
  const isSame = (one: ModelFeature, other: ModelFeature): boolean =>
    one.categoryCode === other.categoryCode && one.code === other.code;
  return sorted
    .filter((feature, place) => sorted.findIndex((other) => isSame(feature, other)) === place)
    .map((first) => {
      const all = sorted.filter((other) => isSame(first, other));
      const agreeing = all.filter(({ value }) => value === first.value).length / all.length;
      return { ...first, confidence: Math.round(first.confidence * agreeing * 1_000) / 1_000 };
    });
};

/** What a model found that stands in the text to the letter. The rest is dropped and counted. */
export const checkedFindings = (
  extracted: ExtractedText,
  { language, answers, features }: Omit<FindingsJob, 'text'>,
): CheckedFindings => {
  const quoted = new QuotedText(extracted, language);
  const asked = new Map(features?.map((feature) => [feature.name, feature]));
  const [choices, found]: [ModelChoice[], ModelFeature[]] = [[], []];
  let dropped = 0;
  for (const { slice, statements } of answers) {
    const part = new Words(quoted.text, slice);
    for (const statement of statements) {
      const feature = asked.get(statement.label ?? '');
      const choice = features === null ? quoted.choice(part, statement) : undefined;
      const stated = feature && quoted.feature(part, statement, feature);
      if (choice !== undefined) choices.push(choice);
      else if (stated !== undefined) found.push(stated);
      else dropped += 1;
    }
  }
  return { findings: { choice: choices[0] ?? null, features: eachOnce(found) }, dropped };
};

const LONGEST_MS = 45_000;

/** Checks what a model found against the extracted text. */
export const CHECK_FINDINGS = cpuJob(
  'check-findings',
  ({ text, ...job }: FindingsJob): CheckedFindings => checkedFindings(textOf(text), job),
  { deadlineMs: LONGEST_MS },
);
