import { Module } from '@nestjs/common';
import { EmbeddersModule } from '@acervo/models/nest';
import { DocumentStateModule } from '../document-state/document-state.module';
import { TaxonomyModule } from '../taxonomy/taxonomy.module';
import { WorkersModule } from '../cpu/cpu.module';
import { Classifiers } from './classifiers';
import { OpeningVectors } from './opening-vectors';

/** What classifies documents, for the step and for the background. */
@Module({
  imports: [WorkersModule, DocumentStateModule, TaxonomyModule, EmbeddersModule],
  providers: [Classifiers, OpeningVectors],
  exports: [Classifiers, OpeningVectors],
})
export class ClassificationStateModule {}
