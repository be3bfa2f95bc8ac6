import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { CatalogueModule } from '../catalogue/catalogue.module';
import { ExecutionHandlers } from './execution.handlers';
import { Idempotency } from './idempotency';
import { IdempotencyStore } from './idempotency.store';
import { PreviewTokens } from './preview-tokens';
import { UserAnswersStore } from './user-answers.store';

/** Executes operations by their codes: previewed, confirmed, once per idempotency key. */
@Module({
  imports: [CatalogueModule, AuditModule],
  providers: [IdempotencyStore, Idempotency, PreviewTokens, ExecutionHandlers, UserAnswersStore],
  exports: [UserAnswersStore],
})
export class ExecutionModule {}
