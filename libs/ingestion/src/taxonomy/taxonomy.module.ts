import { Module } from '@nestjs/common';
import { CursorsModule } from '@acervo/platform-service';
import { ClassificationBacklogModule } from './classification-backlog.module';
import { BoundariesHandlers } from './boundaries.handlers';
import { BoundaryStore } from './boundary.store';
import { CatalogHandlers } from './catalog.handlers';
import { CategoriesHandlers } from './categories.handlers';
import { CategoryPages } from './category-pages';
import { CategoryStore } from './category.store';
import { DocumentTypeStore } from './document-type.store';
import { DocumentTypesHandlers } from './document-types.handlers';
import { EntityRegister } from './entity-register';
import { FeatureStore } from './feature.store';
import { FeaturesHandlers } from './features.handlers';
import { NamingSpaces } from './naming-spaces';
import { TaxonomyChanges } from './taxonomy-changes';
import { TaxonomyStore } from './taxonomy.store';

/** The types of documents and the features that matter in each, as administrators describe them. */
@Module({
  imports: [ClassificationBacklogModule, CursorsModule],
  providers: [
    TaxonomyStore,
    TaxonomyChanges,
    EntityRegister,
    NamingSpaces,
    DocumentTypeStore,
    BoundaryStore,
    CategoryStore,
    FeatureStore,
    CategoryPages,
    DocumentTypesHandlers,
    BoundariesHandlers,
    CategoriesHandlers,
    FeaturesHandlers,
    CatalogHandlers,
  ],
  exports: [TaxonomyStore, TaxonomyChanges, DocumentTypeStore, BoundaryStore],
})
export class TaxonomyModule {}
