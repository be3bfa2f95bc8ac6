import { Injectable } from '@nestjs/common';
import { readSpace, type SpaceItem, type SpaceReading, type SpaceReadRequest } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { ExcerptService } from '../../excerpts/excerpt.service';
import { ShownDocuments } from '../../space-members/shown-documents';
import { SpaceFreshness } from '../../space-members/space-freshness';
import { type ReadDocuments, SpaceDocumentReader } from './space-document-reader';
import type { ListedDocument } from './space-document.store';
import { SpacePassages } from './space-passages.service';

/** Reads spaces: how many documents, which ones, how they begin, and passages for a query. */
@Injectable()
export class SpaceReadingHandlers {
  constructor(
    private readonly freshness: SpaceFreshness,
    private readonly reader: SpaceDocumentReader,
    private readonly passages: SpacePassages,
    private readonly excerpts: ExcerptService,
    private readonly shown: ShownDocuments,
  ) {}

  /** @throws NotFound for a space that the caller does not see; InvalidMeaning for passages without a query */
  @Handles(readSpace)
  async read(scope: Scope, request: SpaceReadRequest): Promise<SpaceReading> {
    const { resolution } = request;
    if (resolution === 'chunks') return this.passages.find(scope, request);
    await this.freshness.ensure(scope, request.spaceId);
    const { total, documents, openings } = await this.reader.read(scope, request);
    const items = documents.map((document) =>
      resolution === 'text' ? this.openingOf(scope, document, openings) : this.shown.of(document),
    );
    return { resolution, total, items };
  }

  private openingOf(
    scope: Scope,
    { code, name, documentId, ...size }: ListedDocument,
    openings: ReadDocuments['openings'],
  ): SpaceItem {
    const text = this.excerpts.opening(scope, { documentId, size, chunks: openings.get(documentId) ?? [] });
    return { code, name, text, isExcerpt: true };
  }
}
