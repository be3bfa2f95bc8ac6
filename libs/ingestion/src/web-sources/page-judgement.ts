import { Fraction, ListOf, LONGEST_ADDRESS, Text } from '@acervo/contracts';
import type { AnswerSchema } from '@acervo/models/chat';
import { readJson } from '../skills/model/found-statements';
import { leadsOutside } from '../skills/model/standing';
import type { Candidate } from '../web/research-state';

/** Longer than any reason that is kept: a long one is cut and does not spoil the answer. */
const LONGEST_WRITTEN = 4_000;

/** What a model says about one page. */
export class JudgedPage {
  @Text({ max: LONGEST_ADDRESS, description: 'Address of the page' }) readonly url!: string;
  @Fraction({ description: 'How much the page deserves to be kept' }) readonly relevance!: number;
  @Text({ max: LONGEST_WRITTEN, description: 'Why' }) readonly why!: string;
}

class Judgement {
  @ListOf(() => JudgedPage, { max: 200, description: 'Pages that deserve to be kept' })
  readonly pages!: readonly JudgedPage[];
}

/** A candidate with the reason of a model; null where the reason is the product's own. */
export interface ExplainedCandidate extends Candidate {
  readonly why: string | null;
}

/** The form of an answer about these pages: it names no other address. */
export const judgementOf = (urls: readonly string[]): AnswerSchema => ({
  name: 'pages',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['pages'],
    properties: {
      pages: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['url', 'relevance', 'why'],
          properties: {
            url: { type: 'string', enum: urls },
            relevance: { type: 'number', description: 'From 0, not at all, to 1' },
            why: { type: 'string', description: 'One sentence' },
          },
        },
      },
    },
  },
});

/** The pages of an answer by address, the first mention of each; undefined for one that is no JSON of the schema. */
export const readJudgement = (
  text: string,
  candidates: readonly Candidate[],
): ReadonlyMap<string, JudgedPage> | undefined => {
  const named = new Set(candidates.map(({ url }) => url));
  const pages = readJson(Judgement, text)?.pages.filter(({ url }) => named.has(url));
  return pages === undefined ? undefined : new Map(pages.toReversed().map((page) => [page.url, page]));
};

/**
 * Candidates as the product and a model rank them, in equal parts. A page that the model leaves out counts as one that
 * does not deserve to be kept. A reason with links or markup is left out.
 */
export const explained = (
  candidates: readonly Candidate[],
  judged: ReadonlyMap<string, JudgedPage>,
): ExplainedCandidate[] =>
  candidates
    .map((candidate) => {
      const { relevance = 0, why = '' } = judged.get(candidate.url) ?? {};
      const reason = why.trim();
      const isKept = reason !== '' && !leadsOutside(reason);
      return { ...candidate, score: (candidate.score + relevance) / 2, why: isKept ? reason : null };
    })
    .toSorted((a, b) => b.score - a.score);
