import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  copyRole,
  createRole,
  deleteRole,
  getRole,
  GlobalRoleListRequest,
  listGlobalRoles,
  listRoles,
  Removed,
  reorderRoles,
  RoleChange,
  RoleCopy,
  RoleDraft,
  RoleListRequest,
  RolePlace,
  RoleRecord,
  RoleReference,
  updateRole,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersList, Caller, ClosedListPipe } from '@acervo/platform-http';
import { executorsOf, requirements, Requires, type Scope } from '@acervo/rbac';

const managesRoles = requirements.administrators('MANAGE_USERS');
const seesRoles = executorsOf(listRoles);

@Controller('roles')
@Requires(managesRoles)
export class RolesController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(seesRoles)
  @AnswersList(RoleRecord)
  async list(@Caller() scope: Scope, @Query() request: RoleListRequest): Promise<readonly RoleRecord[]> {
    return (await this.calls.send(listRoles, scope, request)).items;
  }

  @Post()
  @Answers(RoleRecord, 201)
  create(@Caller() scope: Scope, @Body() draft: RoleDraft): Promise<RoleRecord> {
    return this.calls.send(createRole, scope, draft);
  }

  @Get('globales')
  @Requires(seesRoles)
  @AnswersList(RoleRecord)
  async listGlobal(@Caller() scope: Scope, @Query() request: GlobalRoleListRequest): Promise<readonly RoleRecord[]> {
    return (await this.calls.send(listGlobalRoles, scope, request)).items;
  }

  @Post('copiar')
  @Answers(RoleRecord, 201)
  copy(@Caller() scope: Scope, @Body() copy: RoleCopy): Promise<RoleRecord> {
    return this.calls.send(copyRole, scope, copy);
  }

  @Put('orden')
  @AnswersList(RoleRecord)
  async reorder(
    @Caller() scope: Scope,
    @Body(new ClosedListPipe(RolePlace, 500)) places: RolePlace[],
  ): Promise<readonly RoleRecord[]> {
    return (await this.calls.send(reorderRoles, scope, { places })).items;
  }

  @Get(':id_rol')
  @Requires(seesRoles)
  @Answers(RoleRecord)
  get(@Caller() scope: Scope, @Param() role: RoleReference): Promise<RoleRecord> {
    return this.calls.send(getRole, scope, role);
  }

  @Put(':id_rol')
  @Answers(RoleRecord)
  update(@Caller() scope: Scope, @Param() role: RoleReference, @Body() change: RoleChange): Promise<RoleRecord> {
    return this.calls.send(updateRole, scope, { ...change, ...role });
  }

  @Delete(':id_rol')
  @Answers(Removed)
  delete(@Caller() scope: Scope, @Param() role: RoleReference): Promise<Removed> {
    return this.calls.send(deleteRole, scope, role);
  }
}
