import { Injectable } from '@nestjs/common';
import { type DocumentCodes, filterVisibleDocuments, type VisibleDocuments } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { HydrationStore } from './hydration.store';

/** Answers which documents a caller sees, for services that keep what was derived from them. */
@Injectable()
export class VisibleDocumentsHandlers {
  constructor(
    private readonly database: Database,
    private readonly documents: HydrationStore,
  ) {}

  @Handles(filterVisibleDocuments)
  async filter(scope: Scope, { codes }: DocumentCodes): Promise<VisibleDocuments> {
    const seen = visibilityOf(scope);
    const named = await this.database.read(scope, (tx) => this.documents.names(tx, seen, [], codes));
    return { codes: named.map(({ code }) => code).sort() };
  }
}
