import { Injectable } from '@nestjs/common';
import type { Scope } from '@acervo/rbac';
import { CollectionWatch } from './collection-watch';
import { weightsOf } from './best-sentences';
import { type DocumentSize, type Excerpt, type Excerpts, excerptsOf, firstExcerpts } from './excerpt-rule';

/** A chunk in full, as only this process and its callers inside see it. */
export interface FullChunk {
  readonly text: string;
  readonly language: string;
  /** Its first character in the extracted text. */
  readonly start: number;
}

/** A document whose chunks are read in full. */
export interface FullDocument<C extends FullChunk> {
  readonly documentId: string;
  readonly size: DocumentSize;
  readonly chunks: readonly C[];
}

/** The one way from chunks to what leaves: applies the rule (ADR 19) and records what each user received. */
@Injectable()
export class ExcerptService {
  constructor(private readonly watch: CollectionWatch) {}

  /** What the answer to a query contains of a document. @param terms those of the query, repeated by weight */
  forQuery<C extends FullChunk>(
    scope: Scope,
    terms: string,
    document: FullDocument<C> & { readonly summary: string },
  ): Excerpts<C> {
    const excerpts = excerptsOf(document, weightsOf(terms));
    this.watch.add(scope, document.documentId, document.size, excerpts.passages);
    return excerpts;
  }

  /** What is shown of a document without a query. */
  beginning<C extends FullChunk>(scope: Scope, { documentId, size, chunks }: FullDocument<C>): Excerpt<C>[] {
    const excerpts = firstExcerpts(size, chunks);
    this.watch.add(scope, documentId, size, excerpts);
    return excerpts;
  }
}
