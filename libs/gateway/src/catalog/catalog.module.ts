import { Module } from '@nestjs/common';
import { CatalogController } from './catalog.controller';

/** The codes that callers may name. */
@Module({ controllers: [CatalogController] })
export class CatalogModule {}
