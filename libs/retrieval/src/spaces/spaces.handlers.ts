import { Injectable } from '@nestjs/common';
import {
  getSpace,
  listSpaceDocuments,
  listSpaces,
  type SpaceDetail,
  type SpaceDetailRequest,
  type SpaceDocuments,
  type SpaceDocumentsRequest,
  type SpaceList,
  type SpaceListRequest,
} from '@acervo/contracts';
import { Cursors, Handles, pageOf } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { SpaceDocumentReader } from './reading/space-document-reader';
import { ShownDocuments } from '../space-members/shown-documents';
import { SpaceFreshness } from '../space-members/space-freshness';
import { SpaceRecords } from './space-records';
import { SpaceStore } from '../space-members/space.store';

/** Shows spaces and their documents, as the caller sees them. */
@Injectable()
export class SpacesHandlers {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly spaces: SpaceStore,
    private readonly reader: SpaceDocumentReader,
    private readonly records: SpaceRecords,
    private readonly freshness: SpaceFreshness,
    private readonly shown: ShownDocuments,
  ) {}

  @Handles(listSpaces)
  async list(scope: Scope, { limit, cursor }: SpaceListRequest): Promise<SpaceList> {
    const listing = { call: listSpaces, scope, filters: {} };
    const below = this.cursors.open(listing, cursor);
    return this.database.read(scope, async (tx) => {
      const rows = await this.spaces.list(tx, scope, below === null ? null : Number(below), limit + 1);
      const page = rows.map((row) => ({ ...row, code: String(row.spaceId) }));
      const { items, nextCursor } = pageOf(page, limit, (code) => this.cursors.seal(listing, code));
      const total = await this.spaces.count(tx, scope);
      return { spaces: await this.records.of(tx, scope, items), total, nextCursor };
    });
  }

  @Handles(listSpaceDocuments)
  async listDocuments(scope: Scope, { spaceId, limit, cursor }: SpaceDocumentsRequest): Promise<SpaceDocuments> {
    const listing = { call: listSpaceDocuments, scope, filters: { spaceId: String(spaceId) } };
    const after = this.cursors.open(listing, cursor);
    const visibility = visibilityOf(scope);
    // The pages of one listing read one set, as far as possible.
    if (after === null) await this.freshness.ensure(scope, spaceId);
    return this.database.read(scope, async (tx) => {
      const { version } = await this.spaces.seen(tx, scope, spaceId);
      const space = { spaceId, version };
      const total = await this.records.count(tx, scope, spaceId);
      const rows = await this.reader.page(tx, { ...visibility, space, total }, { after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { documents: items.map((row) => this.shown.of(row)), total, nextCursor };
    });
  }

  @Handles(getSpace)
  async get(scope: Scope, { spaceId, documentLimit: limit }: SpaceDetailRequest): Promise<SpaceDetail> {
    const visibility = visibilityOf(scope);
    await this.freshness.ensure(scope, spaceId);
    return this.database.read(scope, async (tx) => {
      const row = await this.spaces.seen(tx, scope, spaceId);
      const [space] = await this.records.of(tx, scope, [row]);
      if (space === undefined) throw new Error('A space that was read has no record.');
      const searched = { ...visibility, space: { spaceId, version: row.version }, total: space.documentCount };
      const rows = await this.reader.page(tx, searched, { after: null, limit });
      return { space, documents: rows.map((row) => this.shown.of(row)), totalDocuments: space.documentCount };
    });
  }
}
