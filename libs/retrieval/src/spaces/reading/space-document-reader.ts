import { Injectable } from '@nestjs/common';
import type { SpaceReadRequest } from '@acervo/contracts';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { EmbeddingIndexStore } from '../../embedding-indexes/embedding-index.store';
import type { FullChunk } from '../../excerpts/excerpt.service';
import { JOINED, MANY } from '../member-count';
import { SpaceMembers } from '../../space-members/space-members';
import {
  type DocumentPage,
  type ListedDocument,
  type ReaderCount,
  type SearchedSpace,
  SpaceDocumentStore,
} from './space-document.store';

/** What one transaction reads of a space. */
export interface ReadDocuments {
  readonly total: number;
  readonly documents: readonly ListedDocument[];
  /** The first chunks, by document; none unless the text is read. */
  readonly openings: ReadonlyMap<string, readonly FullChunk[]>;
}

const NOTHING: ReadDocuments = { total: 0, documents: [], openings: new Map() };

/** Reads the documents of a space that a search of the caller may find. */
@Injectable()
export class SpaceDocumentReader {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceMembers,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly documents: SpaceDocumentStore,
  ) {}

  /** @throws NotFound for a space that the caller does not see */
  async read(scope: Scope, request: SpaceReadRequest): Promise<ReadDocuments> {
    const { counted, ...read } = await this.database.read(scope, (tx) => this.readWithin(tx, scope, request));
    if (counted === undefined) return read;
    const count = (tx: Transaction): Promise<number> => this.documents.countMany(tx, counted);
    return { ...read, total: await this.database.readAtOnce(scope, count, JOINED) };
  }

  /** A page of the documents that a reader sees of a version, by code. `total` is how many there are. */
  async page(
    tx: Transaction,
    { total, ...searched }: SearchedSpace & { readonly total: number },
    page: Omit<DocumentPage, 'isLarge'>,
  ): Promise<readonly ListedDocument[]> {
    const indexId = await this.embeddingIndexes.liveId(tx);
    return indexId === undefined ? [] : this.documents.page(tx, searched, indexId, { ...page, isLarge: total >= MANY });
  }

  private async readWithin(
    tx: Transaction,
    scope: Scope,
    { spaceId, resolution, limit }: SpaceReadRequest,
  ): Promise<ReadDocuments & { readonly counted?: ReaderCount }> {
    const { spaces, embeddingIndexes, documents: store } = this;
    const visibility = visibilityOf(scope);
    const [space, index] = await Promise.all([spaces.membersFor(tx, scope, spaceId), embeddingIndexes.live(tx)]);
    if (index === undefined) return NOTHING;
    const { indexId } = index;
    const counted = { visibility, space, indexId };
    const total = await store.countFew(tx, counted);
    const page = { after: null, limit, isLarge: total === null };
    const documents = resolution === 'count' ? [] : await store.page(tx, { ...visibility, space }, indexId, page);
    const openings = resolution === 'text' ? await store.openings(tx, index, documents) : NOTHING.openings;
    // Many are counted by a transaction of its own, with other plans.
    return total === null ? { total: 0, documents, openings, counted } : { total, documents, openings };
  }
}
