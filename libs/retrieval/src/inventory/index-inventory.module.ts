import { Module } from '@nestjs/common';
import { CopiesModule } from '../legs/opensearch/copies/copies.module';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { IndexInventoryHandlers } from './index-inventory.handlers';
import { IndexInventoryStore } from './index-inventory.store';

/** The rows and copies of each document, for the comparison with ingestion. */
@Module({ imports: [CopiesModule, EmbeddingIndexesModule], providers: [IndexInventoryHandlers, IndexInventoryStore] })
export class IndexInventoryModule {}
