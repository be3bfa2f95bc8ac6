import { Module } from '@nestjs/common';
import { ClassificationBacklogModule } from '../taxonomy/classification-backlog.module';
import { CorpusModule } from '../corpus/corpus.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { DocumentsModule } from '../documents/documents.module';
import { ExportsModule } from '../exports/exports.module';
import { BelievedStore } from './believed.store';
import { Comparison } from './comparison';
import { ObjectCheck } from './object-check';
import { ReconcileStage } from './reconcile.stage';
import { ReconciliationStore } from './reconciliation.store';
import { Reconciler } from './reconciler';
import { Repairs } from './repairs';
import { StoresHandlers } from './stores.handlers';
import { StoresReporter } from './stores-reporter';

/** Keeps the stores of all groups in agreement. */
@Module({
  imports: [CorpusModule, DocumentStateModule, DocumentsModule, ExportsModule, ClassificationBacklogModule],
  providers: [
    BelievedStore,
    Comparison,
    ObjectCheck,
    Repairs,
    Reconciler,
    ReconciliationStore,
    StoresReporter,
    ReconcileStage,
    StoresHandlers,
  ],
})
export class ReconciliationModule {}
