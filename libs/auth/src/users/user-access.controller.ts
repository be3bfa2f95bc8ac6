import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  addUserEntity,
  addUserRole,
  EntityAssignment,
  GroupChoice,
  listUserEntities,
  listUserGroups,
  listUserRoles,
  Removed,
  removeUserEntity,
  removeUserRole,
  reorderUserRoles,
  RoleAssignment,
  RolePlace,
  UserEntityItem,
  UserEntityReference,
  UserGroupItem,
  UserReference,
  UserRoleItem,
  UserRoleReference,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersList, Caller, ClosedListPipe } from '@acervo/platform-http';
import { executorsOf, Requires, type Scope } from '@acervo/rbac';
import { OneGroupOnly } from '../kernel/auth.errors';

@Controller('usuarios/:codigo')
@Requires(executorsOf(addUserRole))
export class UserAccessController {
  constructor(private readonly calls: Calls) {}

  @Get('roles')
  @AnswersList(UserRoleItem)
  async listRoles(@Caller() scope: Scope, @Param() user: UserReference): Promise<readonly UserRoleItem[]> {
    return (await this.calls.send(listUserRoles, scope, user)).items;
  }

  @Post('roles')
  @Answers(UserRoleItem, 201)
  addRole(@Caller() scope: Scope, @Param() user: UserReference, @Body() role: RoleAssignment): Promise<UserRoleItem> {
    return this.calls.send(addUserRole, scope, { ...role, ...user });
  }

  @Put('roles/orden')
  @AnswersList(UserRoleItem)
  async reorderRoles(
    @Caller() scope: Scope,
    @Param() user: UserReference,
    @Body(new ClosedListPipe(RolePlace, 500)) places: RolePlace[],
  ): Promise<readonly UserRoleItem[]> {
    return (await this.calls.send(reorderUserRoles, scope, { ...user, places })).items;
  }

  @Delete('roles/:id_rol')
  @Answers(Removed)
  removeRole(@Caller() scope: Scope, @Param() role: UserRoleReference, @Query() choice: GroupChoice): Promise<Removed> {
    return this.calls.send(removeUserRole, scope, { ...role, ...choice });
  }

  @Get('entidades')
  @AnswersList(UserEntityItem)
  async listEntities(
    @Caller() scope: Scope,
    @Param() user: UserReference,
    @Query() choice: GroupChoice,
  ): Promise<readonly UserEntityItem[]> {
    return (await this.calls.send(listUserEntities, scope, { ...user, ...choice })).items;
  }

  @Post('entidades')
  @Answers(UserEntityItem, 201)
  addEntity(
    @Caller() scope: Scope,
    @Param() user: UserReference,
    @Body() entity: EntityAssignment,
  ): Promise<UserEntityItem> {
    return this.calls.send(addUserEntity, scope, { ...entity, ...user });
  }

  @Delete('entidades/:entidad')
  @Answers(Removed)
  removeEntity(@Caller() scope: Scope, @Param() entity: UserEntityReference): Promise<Removed> {
    return this.calls.send(removeUserEntity, scope, entity);
  }

  @Get('grupos')
  @AnswersList(UserGroupItem)
  async listGroups(@Caller() scope: Scope, @Param() user: UserReference): Promise<readonly UserGroupItem[]> {
    return (await this.calls.send(listUserGroups, scope, user)).items;
  }

  @Post('grupos')
  @Answers(UserGroupItem, 201)
  addGroup(): never {
    throw new OneGroupOnly();
  }

  @Delete('grupos/:grupo')
  @Answers(Removed)
  removeGroup(): never {
    throw new OneGroupOnly();
  }
}
