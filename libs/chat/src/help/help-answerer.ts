import { tokenize } from '@acervo/analysis';
import { type AnswererOptions, type AnswerPassage, type CitedSentence, extractAnswer } from '@acervo/models/chat';

/** A passage about the product, with the subject that its title names. */
export interface HelpPassage extends AnswerPassage {
  readonly title: string;
}

/** Sentences of one passage that answer a question. */
export interface HelpAnswer {
  readonly passage: HelpPassage;
  readonly text: string;
}

/**
 * Share of a question that a sentence has to cover. Measured on the 80 answerable and 40 unanswerable questions of each
 * language in `test/help-questions.json`, over the handbook:
 *
 *     threshold   right section es, en   no answer to unanswerable es, en
 *     0.50        93 %, 96 %             88 %, 88 %
 *     0.55        93 %, 96 %             93 %, 93 %
 *     0.60        89 %, 93 %             98 %, 95 %
 *     0.65        88 %, 90 %             98 %, 95 %
 *
 * Most of these questions shaped the handbook and its wordings. Of 40 that were new to it, 31 were answered right at
 * 0.55, and of 20 unanswerable ones 19 had no answer.
 */
export const HELP_THRESHOLD = 0.6;

/** Sentences that compete. Short questions are covered by many. */
const CANDIDATES: AnswererOptions = { threshold: HELP_THRESHOLD, mostSentences: 60 };
const MOST_SENTENCES = 3;
/** Sentences below this share of the best one of their passage are left out. */
const SHARE_OF_BEST = 0.75;
/** What decides between sentences that cover a question alike: the title above them, and how little else they say. */
const WEIGHTS = { title: 0.5, density: 0.3 } as const;

type Weighted = CitedSentence & { readonly weight: number };

/** Share of some terms that stand among others. */
const shareOf = (terms: ReadonlySet<string>, among: ReadonlySet<string>): number =>
  terms.size === 0 ? 0 : [...terms].filter((term) => among.has(term)).length / terms.size;

/** The sentences of a passage that were found, the best first, with the weight of the passage. */
const weigh = (question: string, { title, language }: HelpPassage, found: readonly CitedSentence[]) => {
  const asked = new Set(tokenize(question, language));
  const sentences: Weighted[] = found.map((sentence) => {
    const density = shareOf(new Set(tokenize(sentence.quote, language)), asked);
    return { ...sentence, weight: sentence.score + WEIGHTS.density * density };
  });
  const sorted = sentences.toSorted((one, other) => other.weight - one.weight);
  const ofTitle = WEIGHTS.title * shareOf(asked, new Set(tokenize(title, language)));
  return { sentences: sorted, weight: (sorted[0]?.weight ?? 0) + ofTitle };
};

/** The best sentences in the order of their passage. */
const textOf = (sentences: readonly Weighted[]): string => {
  const best = Math.max(...sentences.map(({ score }) => score));
  return sentences
    .filter(({ score }) => score >= SHARE_OF_BEST * best)
    .slice(0, MOST_SENTENCES)
    .toSorted((one, other) => one.start - other.start)
    .map(({ quote }) => quote)
    .join(' ');
};

/**
 * Answers a question about the product by sentences of the one passage that fits best, to the letter. Undefined where no
 * sentence covers enough of the question.
 * @param question in the words of the passages
 */
export const answerFrom = (question: string, passages: readonly HelpPassage[]): HelpAnswer | undefined => {
  const { sentences } = extractAnswer(question, passages, CANDIDATES);
  const ranked = passages.flatMap((passage, place) => {
    const found = sentences.filter((sentence) => sentence.passage === place);
    return found.length === 0 ? [] : [{ passage, ...weigh(question, passage, found) }];
  });
  const [best] = ranked.toSorted((one, other) => other.weight - one.weight);
  return best === undefined ? undefined : { passage: best.passage, text: textOf(best.sentences) };
};
