import { Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module';
import { CatalogueModule } from './catalogue/catalogue.module';
import { ExecutionModule } from './execution/execution.module';
import { PlansModule } from './plans/plans.module';

/** Runs operations of programs and agents by name, and records every write from any route. */
@Module({ imports: [CatalogueModule, ExecutionModule, AuditModule, PlansModule] })
export class OperationsModule {}
