import { Injectable } from '@nestjs/common';
import { analyseQuery, type Languages, languagesFrom, type QueryAnalysis } from '@acervo/analysis';
import { TextConfig } from '@acervo/platform-service';

/** Turns queries into terms and words, in the languages of the installation. */
@Injectable()
export class QueryAnalyzer {
  private readonly languages: Languages;

  constructor({ languages }: TextConfig) {
    this.languages = languagesFrom(languages);
  }

  analyse(query: string): QueryAnalysis {
    return analyseQuery(query, this.languages);
  }
}
