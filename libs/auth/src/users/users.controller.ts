import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  AddressReleased,
  changeOwnGroup,
  createUser,
  deleteUser,
  DirectoryPage,
  DirectoryPageRequest,
  DirectoryUser,
  getUser,
  listAllUsers,
  listUsers,
  OwnGroupChange,
  pageAllUsers,
  pageUsers,
  previewUserDeletion,
  releaseAddress,
  updateUser,
  UserChange,
  UserDeleted,
  UserDeletionPreview,
  UserDraft,
  UserPage,
  UserPageRequest,
  UserRecord,
  UserReference,
  UserSearch,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersList, Caller } from '@acervo/platform-http';
import { executorsOf, requirements, Requires, type Scope } from '@acervo/rbac';

const managesUsers = executorsOf(updateUser);

@Controller('usuarios')
@Requires(managesUsers)
export class UsersController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @AnswersList(UserRecord)
  async list(@Caller() scope: Scope, @Query() search: UserSearch): Promise<readonly UserRecord[]> {
    return (await this.calls.send(listUsers, scope, search)).items;
  }

  @Post()
  @Answers(UserRecord, 201)
  create(@Caller() scope: Scope, @Body() draft: UserDraft): Promise<UserRecord> {
    return this.calls.send(createUser, scope, draft);
  }

  @Get('paginado')
  @Answers(UserPage)
  page(@Caller() scope: Scope, @Query() request: UserPageRequest): Promise<UserPage> {
    return this.calls.send(pageUsers, scope, request);
  }

  @Get('todos')
  @Requires(requirements.system)
  @AnswersList(DirectoryUser)
  async listAll(@Caller() scope: Scope, @Query() search: UserSearch): Promise<readonly DirectoryUser[]> {
    return (await this.calls.send(listAllUsers, scope, search)).items;
  }

  @Get('todos/paginado')
  @Requires(requirements.system)
  @Answers(DirectoryPage)
  pageAll(@Caller() scope: Scope, @Query() request: DirectoryPageRequest): Promise<DirectoryPage> {
    return this.calls.send(pageAllUsers, scope, request);
  }

  @Put('cambiar-grupo')
  @Requires(requirements.system)
  @Answers(UserRecord)
  changeOwnGroup(@Caller() scope: Scope, @Body() change: OwnGroupChange): Promise<UserRecord> {
    return this.calls.send(changeOwnGroup, scope, change);
  }

  @Post(':codigo/liberar-correo')
  @Requires(requirements.system)
  @Answers(AddressReleased)
  releaseAddress(@Caller() scope: Scope, @Param() user: UserReference): Promise<AddressReleased> {
    return this.calls.send(releaseAddress, scope, user);
  }

  @Get(':codigo')
  @Answers(UserRecord)
  get(@Caller() scope: Scope, @Param() user: UserReference): Promise<UserRecord> {
    return this.calls.send(getUser, scope, user);
  }

  @Put(':codigo')
  @Answers(UserRecord)
  update(@Caller() scope: Scope, @Param() user: UserReference, @Body() change: UserChange): Promise<UserRecord> {
    return this.calls.send(updateUser, scope, { ...user, ...change });
  }

  @Delete(':codigo')
  @Answers(UserDeleted)
  delete(@Caller() scope: Scope, @Param() user: UserReference): Promise<UserDeleted> {
    return this.calls.send(deleteUser, scope, user);
  }

  @Get(':codigo/preview-eliminar')
  @Answers(UserDeletionPreview)
  preview(@Caller() scope: Scope, @Param() user: UserReference): Promise<UserDeletionPreview> {
    return this.calls.send(previewUserDeletion, scope, user);
  }
}
