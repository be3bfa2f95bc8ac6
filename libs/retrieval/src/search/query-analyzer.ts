import { Injectable } from '@nestjs/common';
import { type Languages, languagesFrom, queryTerms, type QueryWords, queryWords } from '@acervo/analysis';
import { TextConfig } from '@acervo/platform-service';

/** Turns queries into terms for the lexical index, in the languages of the installation. */
@Injectable()
export class QueryAnalyzer {
  private readonly languages: Languages;

  constructor({ languages }: TextConfig) {
    this.languages = languagesFrom(languages);
  }

  /** The terms, separated by spaces; empty for a query without any. */
  terms(query: string): string {
    return queryTerms(query, this.languages);
  }

  /** Its words in its own language. */
  words(query: string): QueryWords {
    return queryWords(query, this.languages);
  }
}
