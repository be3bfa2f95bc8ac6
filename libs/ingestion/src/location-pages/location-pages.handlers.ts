import { Injectable } from '@nestjs/common';
import { generateLocationPage, type LocationPage, type LocationReference } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { compileLocation } from './location-page';
import { LocationPageStore } from './location-page.store';

/** Compiles the pages of folders. None is stored: each reader gets the documents that the reader sees. */
@Injectable()
export class LocationPagesHandlers {
  constructor(private readonly pages: LocationPageStore) {}

  @Handles(generateLocationPage)
  generate(scope: Scope, { locationCode }: LocationReference, context: WriteContext): Promise<LocationPage> {
    const visibility = visibilityOf(scope);
    return context.write(async (tx) => {
      // Before the lock of the folder: it counts documents.
      const contents = await this.pages.contents(tx, visibility, locationCode);
      const folder = await this.pages.find(tx, visibility, locationCode, 'for update');
      const at = await this.pages.keep(tx, locationCode);
      return {
        ...{ locationCode, page: compileLocation(folder, contents), pageAt: at.toISOString() },
        derivedFrom: contents.described.map(({ code: documentCode, revision }) => ({ documentCode, revision })),
      };
    });
  }
}
