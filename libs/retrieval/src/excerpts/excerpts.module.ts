import { Module } from '@nestjs/common';
import { CollectionWatch } from './collection-watch';
import { ExcerptService } from './excerpt.service';

/** What may leave of a document. */
@Module({ providers: [CollectionWatch, ExcerptService], exports: [ExcerptService] })
export class ExcerptsModule {}
