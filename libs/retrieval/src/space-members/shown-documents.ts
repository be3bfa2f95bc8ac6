import { Injectable } from '@nestjs/common';
import { summaryLength } from '@acervo/analysis';
import { documentUrl, type SpaceDocument } from '@acervo/contracts';
import { BaseConfig } from '@acervo/platform-config';
import { beginningOf } from '../excerpts/best-sentences';

/** A document of a space, with the characters that bound its summary. */
export interface MemberDocument {
  readonly code: string;
  readonly name: string;
  readonly summary: string;
  readonly path: string;
  readonly documentTypeCode: string | null;
  /** Of its web page; null for a file. */
  readonly url: string | null;
  readonly characters: number;
}

/** Documents of spaces as lists and readings show them: with their summaries, shortened as everywhere. */
@Injectable()
export class ShownDocuments {
  constructor(private readonly config: BaseConfig) {}

  of({ code, name, summary, path, documentTypeCode, characters, url }: MemberDocument): SpaceDocument {
    return {
      ...{ code, name, documentTypeCode, location: path },
      summary: beginningOf(summary, summaryLength(characters)),
      url: url ?? documentUrl(this.config.publicUrl, code),
    };
  }
}
