import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { ApplicationsModule } from '../applications/applications.module';
import { DatabasesModule } from '../databases/databases.module';
import { RolesModule } from '../roles/roles.module';
import { AnalysisHandlers } from './analysis.handlers';
import { AnalysisStage } from './analysis.stage';
import { AnalysisStore } from './analysis.store';
import { EdgeStore } from './edge.store';
import { EdgesHandlers } from './edges.handlers';
import { FunctionApplicationsHandlers } from './function-applications.handlers';
import { FunctionRolesHandlers } from './function-roles.handlers';
import { FunctionStore } from './function.store';
import { FunctionsHandlers } from './functions.handlers';
import { FunctionsController } from './functions.controller';
import { ViewStore } from './view.store';
import { ViewTexts } from './view-texts';
import { ViewsHandlers } from './views.handlers';

/** Functions of the product, the roles that give them and the operations that they use. */
@Module({
  imports: [DatabasesModule, AccountsModule, ApplicationsModule, RolesModule],
  controllers: [FunctionsController],
  providers: [
    FunctionsHandlers,
    FunctionApplicationsHandlers,
    FunctionRolesHandlers,
    EdgesHandlers,
    AnalysisHandlers,
    AnalysisStage,
    ViewsHandlers,
    FunctionStore,
    EdgeStore,
    AnalysisStore,
    ViewStore,
    ViewTexts,
  ],
})
export class FunctionsModule {}
