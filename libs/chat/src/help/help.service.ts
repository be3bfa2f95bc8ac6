import { Injectable } from '@nestjs/common';
import { detectLanguage } from '@acervo/analysis';
import type { Scope } from '@acervo/rbac';
import { type HelpLanguage, helpLanguages } from './handbook';
import { answerFrom } from './help-answerer';
import { HelpPassages } from './help-passages';
import { inHandbookWords } from './question-terms';
import { acceptsOffer, declinedText, declinesOffer, type HelpExchange, OFFER } from './support-offer';

/** A question about the product that stands alone. */
export interface HelpQuestion {
  readonly question: string;
  /** Code of its language. */
  readonly language: string;
  /** What was asked and answered before in its conversation, the latest last, to the letter. */
  readonly exchanges: readonly HelpExchange[];
}

export interface HelpReply {
  /** To be stored to the letter: the offer of a support request is recognised by it. */
  readonly text: string;
  readonly state: 'DONE' | 'ABSTAINED';
  readonly offersSupport: boolean;
}

/** The language that help answers in: that of the question, else the nearer one of the two. */
export const helpLanguageOf = (language: string, question: string): HelpLanguage => {
  const same = helpLanguages.find((each) => each === language);
  return same ?? (detectLanguage(question, helpLanguages) === 'en' ? 'en' : 'es');
};

/** Answers questions about the product. It reads no documents and costs no quota. */
@Injectable()
export class HelpService {
  constructor(private readonly passages: HelpPassages) {}

  /** Answers by sentences about the product, or offers a support request where none settles the question. */
  async answer(scope: Scope, { question, language, exchanges }: HelpQuestion): Promise<HelpReply> {
    const spoken = helpLanguageOf(language, question);
    if (declinesOffer(exchanges, question)) return { text: declinedText(spoken), state: 'DONE', offersSupport: false };
    const asked = inHandbookWords(question, spoken);
    const answer = answerFrom(asked, await this.passages.of(scope, asked, spoken));
    if (answer === undefined) return { text: OFFER[spoken], state: 'ABSTAINED', offersSupport: true };
    return { text: answer.text, state: 'DONE', offersSupport: false };
  }

  /**
   * Whether a question accepts the support request that the latest answer offers. Then it has no answer of its own:
   * `SupportRequests.register` gives its text, within the transaction that stores the pair.
   */
  accepts(exchanges: readonly HelpExchange[], question: string): boolean {
    return acceptsOffer(exchanges, question);
  }
}
