import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import {
  addRoleApplication,
  addRoleFunction,
  ApplicationAssignment,
  ApplicationItem,
  CompiledDocument,
  FunctionAssignment,
  generateRoleDocument,
  listRoleApplications,
  listRoleFunctions,
  Removed,
  removeRoleApplication,
  removeRoleFunction,
  reorderRoleFunctions,
  RoleApplicationReference,
  RoleFunctionItem,
  RoleFunctionPlace,
  RoleFunctionReference,
  RoleReference,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersList, Caller, ClosedListPipe } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

@Controller('roles/:id_rol')
@Requires(requirements.administrators('MANAGE_USERS'))
export class RolePartsController {
  constructor(private readonly calls: Calls) {}

  @Get('funciones')
  @AnswersList(RoleFunctionItem)
  async listFunctions(@Caller() scope: Scope, @Param() role: RoleReference): Promise<readonly RoleFunctionItem[]> {
    return (await this.calls.send(listRoleFunctions, scope, role)).items;
  }

  @Post('funciones')
  @Answers(RoleFunctionItem, 201)
  addFunction(
    @Caller() scope: Scope,
    @Param() role: RoleReference,
    @Body() body: FunctionAssignment,
  ): Promise<RoleFunctionItem> {
    return this.calls.send(addRoleFunction, scope, { ...body, ...role });
  }

  @Put('funciones/orden')
  @AnswersList(RoleFunctionItem)
  async reorderFunctions(
    @Caller() scope: Scope,
    @Param() role: RoleReference,
    @Body(new ClosedListPipe(RoleFunctionPlace, 1_000)) places: RoleFunctionPlace[],
  ): Promise<readonly RoleFunctionItem[]> {
    return (await this.calls.send(reorderRoleFunctions, scope, { ...role, places })).items;
  }

  @Delete('funciones/:funcion')
  @Answers(Removed)
  removeFunction(@Caller() scope: Scope, @Param() reference: RoleFunctionReference): Promise<Removed> {
    return this.calls.send(removeRoleFunction, scope, reference);
  }

  @Get('aplicaciones')
  @AnswersList(ApplicationItem)
  async listApplications(@Caller() scope: Scope, @Param() role: RoleReference): Promise<readonly ApplicationItem[]> {
    return (await this.calls.send(listRoleApplications, scope, role)).items;
  }

  @Post('aplicaciones')
  @Answers(ApplicationItem, 201)
  addApplication(
    @Caller() scope: Scope,
    @Param() role: RoleReference,
    @Body() body: ApplicationAssignment,
  ): Promise<ApplicationItem> {
    return this.calls.send(addRoleApplication, scope, { ...body, ...role });
  }

  @Delete('aplicaciones/:app')
  @Answers(Removed)
  removeApplication(@Caller() scope: Scope, @Param() reference: RoleApplicationReference): Promise<Removed> {
    return this.calls.send(removeRoleApplication, scope, reference);
  }

  @Post('generar-md')
  @Answers(CompiledDocument)
  generateDocument(@Caller() scope: Scope, @Param() role: RoleReference): Promise<CompiledDocument> {
    return this.calls.send(generateRoleDocument, scope, role);
  }
}
