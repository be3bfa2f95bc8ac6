import { Injectable } from '@nestjs/common';
import type { Scope } from '@acervo/rbac';
import { CollectionWatch } from './collection-watch';
import { weightsOf } from './best-sentences';
import { type DocumentSize, type Excerpt, type Excerpts, excerptsOf, firstExcerpts, openingOf } from './excerpt-rule';

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

/** A document that a query found. */
export type FoundDocument<C extends FullChunk> = FullDocument<C> & { readonly summary: string };

/** A passage with its document. */
export interface PassageOf<D, C> {
  readonly document: D;
  readonly excerpt: Excerpt<C>;
}

/** The one way from chunks to what leaves: applies the rule (ADR 19) and records what each user received. */
@Injectable()
export class ExcerptService {
  constructor(private readonly watch: CollectionWatch) {}

  /** What the answer to a query contains of a document. @param terms those of the query, repeated by weight */
  forQuery<C extends FullChunk>(scope: Scope, terms: string, document: FoundDocument<C>): Excerpts<C> {
    const excerpts = excerptsOf(document, weightsOf(terms));
    this.watch.add(scope, document.documentId, document.size, excerpts.passages);
    return excerpts;
  }

  /** The passages that a query gets of several documents, by the rank of their chunks; at most `most` together. */
  bestOf<C extends FullChunk & { readonly rank: number }, D extends FoundDocument<C>>(
    scope: Scope,
    terms: string,
    documents: readonly D[],
    most: number,
  ): PassageOf<D, C>[] {
    const weights = weightsOf(terms);
    const passages = documents
      .flatMap((document) => excerptsOf<C>(document, weights).passages.map((excerpt) => ({ document, excerpt })))
      .toSorted((one, other) => one.excerpt.chunk.rank - other.excerpt.chunk.rank)
      .slice(0, most);
    for (const document of new Set(passages.map((passage) => passage.document))) {
      const shown = passages.filter((passage) => passage.document === document).map(({ excerpt }) => excerpt);
      this.watch.add(scope, document.documentId, document.size, shown);
    }
    return passages;
  }

  /** What is shown of a document without a query. */
  beginning<C extends FullChunk>(scope: Scope, { documentId, size, chunks }: FullDocument<C>): Excerpt<C>[] {
    const excerpts = firstExcerpts(size, chunks);
    this.watch.add(scope, documentId, size, excerpts);
    return excerpts;
  }

  /** How a document among many begins; never the whole of it. */
  opening<C extends FullChunk>(scope: Scope, { documentId, size, chunks }: FullDocument<C>): string {
    const { text, excerpts } = openingOf(size, chunks);
    this.watch.add(scope, documentId, size, excerpts);
    return text;
  }
}
