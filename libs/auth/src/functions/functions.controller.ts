import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  addFunctionApplication,
  addFunctionRole,
  analyseFunction,
  ApplicationAssignment,
  ApplicationItem,
  CompiledDocument,
  createFunction,
  deleteFunction,
  EdgeRebuildReport,
  FunctionApi,
  FunctionApplicationReference,
  FunctionChange,
  FunctionDraft,
  FunctionEdgeReport,
  FunctionListRequest,
  FunctionPlace,
  FunctionRecord,
  FunctionReference,
  FunctionRoleAssignment,
  FunctionRoleReference,
  GeneratedFunctionView,
  generateFunctionDocument,
  generateFunctionView,
  listFunctionApis,
  listFunctionApplications,
  listFunctionRoles,
  listFunctions,
  QueuedFunctionAnalysis,
  Removed,
  removeFunctionApplication,
  removeFunctionRole,
  reorderFunctions,
  RoleRecord,
  syncAllFunctions,
  SyncedFunctionView,
  syncFunction,
  syncFunctionView,
  updateFunction,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersList, Caller, ClosedListPipe } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

const managesRoles = requirements.administrators('MANAGE_USERS');

/**
 * Administrators read functions and give them to their roles. Only a SYSTEM user changes what belongs to all groups.
 */
@Controller('funciones')
@Requires(requirements.system)
export class FunctionsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(managesRoles)
  @AnswersList(FunctionRecord)
  async list(@Caller() scope: Scope, @Query() request: FunctionListRequest): Promise<readonly FunctionRecord[]> {
    return (await this.calls.send(listFunctions, scope, request)).items;
  }

  @Post()
  @Answers(FunctionRecord, 201)
  create(@Caller() scope: Scope, @Body() draft: FunctionDraft): Promise<FunctionRecord> {
    return this.calls.send(createFunction, scope, draft);
  }

  @Put('reordenar')
  @AnswersList(FunctionRecord)
  async reorder(
    @Caller() scope: Scope,
    @Body(new ClosedListPipe(FunctionPlace, 1_000)) places: FunctionPlace[],
  ): Promise<readonly FunctionRecord[]> {
    return (await this.calls.send(reorderFunctions, scope, { places })).items;
  }

  @Post('sincronizar-todas')
  @Answers(EdgeRebuildReport)
  syncAll(@Caller() scope: Scope): Promise<EdgeRebuildReport> {
    return this.calls.send(syncAllFunctions, scope, {});
  }

  @Put(':codigo')
  @Answers(FunctionRecord)
  update(
    @Caller() scope: Scope,
    @Param() reference: FunctionReference,
    @Body() change: FunctionChange,
  ): Promise<FunctionRecord> {
    return this.calls.send(updateFunction, scope, { ...change, ...reference });
  }

  @Delete(':codigo')
  @Answers(Removed)
  delete(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<Removed> {
    return this.calls.send(deleteFunction, scope, reference);
  }

  @Get(':codigo/aplicaciones')
  @Requires(managesRoles)
  @AnswersList(ApplicationItem)
  async listApplications(
    @Caller() scope: Scope,
    @Param() reference: FunctionReference,
  ): Promise<readonly ApplicationItem[]> {
    return (await this.calls.send(listFunctionApplications, scope, reference)).items;
  }

  @Post(':codigo/aplicaciones')
  @Answers(ApplicationItem, 201)
  addApplication(
    @Caller() scope: Scope,
    @Param() reference: FunctionReference,
    @Body() body: ApplicationAssignment,
  ): Promise<ApplicationItem> {
    return this.calls.send(addFunctionApplication, scope, { ...body, ...reference });
  }

  @Delete(':codigo/aplicaciones/:app')
  @Answers(Removed)
  removeApplication(@Caller() scope: Scope, @Param() reference: FunctionApplicationReference): Promise<Removed> {
    return this.calls.send(removeFunctionApplication, scope, reference);
  }

  @Get(':codigo/roles')
  @Requires(managesRoles)
  @AnswersList(RoleRecord)
  async listRoles(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<readonly RoleRecord[]> {
    return (await this.calls.send(listFunctionRoles, scope, reference)).items;
  }

  @Post(':codigo/roles')
  @Requires(managesRoles)
  @Answers(RoleRecord, 201)
  addRole(
    @Caller() scope: Scope,
    @Param() reference: FunctionReference,
    @Body() body: FunctionRoleAssignment,
  ): Promise<RoleRecord> {
    return this.calls.send(addFunctionRole, scope, { ...body, ...reference });
  }

  @Delete(':codigo/roles/:id_rol')
  @Requires(managesRoles)
  @Answers(Removed)
  removeRole(@Caller() scope: Scope, @Param() reference: FunctionRoleReference): Promise<Removed> {
    return this.calls.send(removeFunctionRole, scope, reference);
  }

  @Get(':codigo/apis')
  @Requires(managesRoles)
  @AnswersList(FunctionApi)
  async listApis(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<readonly FunctionApi[]> {
    return (await this.calls.send(listFunctionApis, scope, reference)).items;
  }

  @Post(':codigo/sincronizar')
  @Answers(FunctionEdgeReport)
  sync(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<FunctionEdgeReport> {
    return this.calls.send(syncFunction, scope, reference);
  }

  @Post(':codigo/generar-md')
  @Answers(CompiledDocument)
  generateDocument(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<CompiledDocument> {
    return this.calls.send(generateFunctionDocument, scope, reference);
  }

  @Post(':codigo/forzar-analisis')
  @Answers(QueuedFunctionAnalysis)
  analyse(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<QueuedFunctionAnalysis> {
    return this.calls.send(analyseFunction, scope, reference);
  }

  @Post(':codigo/generar-vista')
  @Answers(GeneratedFunctionView)
  generateView(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<GeneratedFunctionView> {
    return this.calls.send(generateFunctionView, scope, reference);
  }

  @Post(':codigo/sincronizar-vista')
  @Answers(SyncedFunctionView)
  syncView(@Caller() scope: Scope, @Param() reference: FunctionReference): Promise<SyncedFunctionView> {
    return this.calls.send(syncFunctionView, scope, reference);
  }
}
