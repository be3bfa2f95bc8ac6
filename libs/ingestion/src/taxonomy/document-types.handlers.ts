import { Injectable } from '@nestjs/common';
import {
  assertDocumentTypeExists,
  createDocumentType,
  deleteDocumentType,
  type DocumentTypeDeleted,
  type DocumentTypeEffect,
  type DocumentTypeItem,
  type DocumentTypeList,
  type DocumentTypeListRequest,
  type DocumentTypeReference,
  type DocumentTypeUpdate,
  type Empty,
  InvalidMeaning,
  listDocumentTypes,
  MOST_DOCUMENT_TYPES,
  type NewDocumentType,
  previewDocumentTypeDeletion,
  updateDocumentType,
} from '@acervo/contracts';
import { Cursors, Handles, pageOf, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { MAX_TYPE_DEPTH } from './taxonomy';
import { affectedByType } from './affected';
import { DocumentTypeStore } from './document-type.store';
import { EntityRegister } from './entity-register';
import { NamingSpaces } from './naming-spaces';
import { TaxonomyChanges } from './taxonomy-changes';
import { TaxonomyConflict, TaxonomyRefused } from './taxonomy.errors';
import { assertSeparable } from './codes';
import { TypeReach } from './type-reach';
import type { TypePlace } from './type-tree';

/** The types of documents that a group has. */
@Injectable()
export class DocumentTypesHandlers {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly entities: EntityRegister,
    private readonly types: DocumentTypeStore,
    private readonly changes: TaxonomyChanges,
    private readonly naming: NamingSpaces,
  ) {}

  @Handles(listDocumentTypes)
  async list(scope: Scope, request: DocumentTypeListRequest): Promise<DocumentTypeList> {
    const { entityCode, query, limit, cursor } = request;
    const reach = TypeReach.of(scope);
    const listing = { call: listDocumentTypes, scope, filters: { entityCode, query } };
    const after = this.cursors.open(listing, cursor);
    if (entityCode !== undefined) await this.entities.assert(scope, entityCode);
    return this.database.read(scope, async (tx) => {
      const rows = await this.types.list(tx, reach, { entityCode, query, after, limit: limit + 1 });
      const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
      return { documentTypes: items, nextCursor };
    });
  }

  @Handles(assertDocumentTypeExists)
  assertExists(scope: Scope, { documentTypeCode }: DocumentTypeReference): Promise<Empty> {
    return this.database.read(scope, async (tx) => {
      await this.types.place(tx, TypeReach.of(scope), documentTypeCode);
      return {};
    });
  }

  /** A type below the type of an entity belongs to that entity unless it names one. */
  @Handles(createDocumentType)
  async create(scope: Scope, draft: NewDocumentType, context: WriteContext): Promise<DocumentTypeItem> {
    const { code, name, description = '', parentCode = null, entityCode } = draft;
    assertSeparable(code);
    const reach = TypeReach.of(scope);
    if (entityCode != null) await this.entities.assert(scope, entityCode);
    return context.write(async (tx) => {
      await this.changes.lock(tx);
      const parent = parentCode === null ? null : await this.types.place(tx, reach, parentCode);
      const entity = entityCode === undefined ? (parent?.entityCode ?? null) : entityCode;
      reach.assertChanges(entity);
      const place = { code, parentCode, entityCode: entity };
      await this.assertFits(tx, place, parent);
      await this.types.create(tx, { ...place, name, description });
      await this.changes.typesChanged(tx);
      return this.types.item(tx, reach, code);
    });
  }

  /** @throws InvalidMeaning for a request that changes nothing. */
  @Handles(updateDocumentType)
  update(scope: Scope, change: DocumentTypeUpdate, context: WriteContext): Promise<DocumentTypeItem> {
    const { documentTypeCode: code, name, description, parentCode } = change;
    if (name === undefined && description === undefined && parentCode === undefined)
      throw new InvalidMeaning(['name', 'description', 'parent_code']);
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      const place = await this.lockPlace(tx, reach, code);
      if (name !== undefined || description !== undefined) await this.types.describe(tx, code, name, description);
      // A name or a description reaches no document.
      if (parentCode !== undefined && parentCode !== place.parentCode) {
        await this.move(tx, reach, { ...place, parentCode });
        await this.changes.typesChanged(tx);
      }
      return this.types.item(tx, reach, code);
    });
  }

  @Handles(previewDocumentTypeDeletion)
  async previewDeletion(scope: Scope, { documentTypeCode }: DocumentTypeReference): Promise<DocumentTypeEffect> {
    const reach = TypeReach.of(scope);
    const { counts, features } = await this.database.read(scope, async (tx) => {
      reach.assertChanges((await this.types.place(tx, reach, documentTypeCode)).entityCode);
      return {
        counts: await countSelected(tx, affectedByType(tx, documentTypeCode)),
        features: await this.naming.features(tx, { typeCode: documentTypeCode }),
      };
    });
    return { documentTypeCode, ...counts, spaces: await this.naming.count(scope, [documentTypeCode], features) };
  }

  @Handles(deleteDocumentType)
  delete(
    scope: Scope,
    { documentTypeCode }: DocumentTypeReference,
    context: WriteContext,
  ): Promise<DocumentTypeDeleted> {
    const reach = TypeReach.of(scope);
    return context.write(async (tx) => {
      await this.lockPlace(tx, reach, documentTypeCode);
      const counts = await countSelected(tx, affectedByType(tx, documentTypeCode));
      if (counts.children > 0) throw new TaxonomyConflict('HAS_CHILDREN', counts);
      await this.types.delete(tx, documentTypeCode);
      await this.changes.typesChanged(tx);
      return { documentTypeCode, deleted: true };
    });
  }

  /** The place of a type that the caller may change, with the taxonomy locked. */
  private async lockPlace(tx: Transaction, reach: TypeReach, code: string): Promise<TypePlace> {
    await this.changes.lock(tx);
    const place = await this.types.place(tx, reach, code);
    reach.assertChanges(place.entityCode);
    return place;
  }

  private async move(tx: Transaction, reach: TypeReach, place: TypePlace): Promise<void> {
    const { code, parentCode } = place;
    const parent = parentCode === null ? null : await this.types.place(tx, reach, parentCode);
    await this.assertFits(tx, place, parent);
    await this.types.move(tx, code, parentCode);
  }

  /** @throws TaxonomyRefused for a place that the tree cannot have, TaxonomyConflict for a tree that is full. */
  private async assertFits(tx: Transaction, { code, entityCode }: TypePlace, parent: TypePlace | null): Promise<void> {
    const tree = await this.types.tree(tx);
    const isNew = tree.find(code) === undefined;
    if (parent !== null) {
      const above = tree.upwards(parent.code);
      if (!isNew && above.includes(code)) throw new TaxonomyRefused('PARENT_BELOW', 'parent_code');
      if (parent.entityCode !== null && parent.entityCode !== entityCode)
        throw new TaxonomyRefused('PARENT_OF_OTHER_ENTITY', 'parent_code');
      const height = isNew ? 1 : tree.heightOf(code);
      if (above.length + height > MAX_TYPE_DEPTH)
        throw new TaxonomyRefused('TOO_DEEP', 'parent_code', { most: MAX_TYPE_DEPTH });
    }
    if (isNew && tree.size >= MOST_DOCUMENT_TYPES)
      throw new TaxonomyConflict('TOO_MANY', { most: MOST_DOCUMENT_TYPES });
  }
}
