import { Module } from '@nestjs/common';
import { OperationCatalogue } from './operation-catalogue';
import { OperationCatalogueHandlers } from './operation-catalogue.handlers';
import { FunctionsHandlers } from './functions.handlers';

/** The operations for programs, and the functions they belong to. */
@Module({
  providers: [
    { provide: OperationCatalogue, useFactory: () => new OperationCatalogue() },
    OperationCatalogueHandlers,
    FunctionsHandlers,
  ],
  exports: [OperationCatalogue],
})
export class CatalogueModule {}
