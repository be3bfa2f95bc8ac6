import { Body, Controller, Get, Inject, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ChangeApplication,
  changeApplication,
  ChangeEntity,
  changeEntity,
  ChangeGroup,
  changeGroup,
  describeSession,
  logIn,
  LoginRequest,
  LoginResponse,
  logOut,
  RefreshRequest,
  refreshSession,
  Said,
  SessionTokens,
  UserContext,
  type Visitor,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { anonymous, requirements, Requires, type Scope } from '@acervo/rbac';
import { SessionReader } from './session-authenticator';
import { From, keepNowhere, rememberDevice } from './visitor';

@ApiTags('auth')
@ApiBearerAuth('credential')
@Controller('auth')
export class SessionsController {
  constructor(
    @Inject(Calls) private readonly calls: Calls,
    @Inject(SessionReader) private readonly reader: SessionReader,
  ) {}

  @Post('login')
  @Requires(requirements.nobody)
  @Answers(LoginResponse)
  @ApiOperation({ summary: 'Begin a session with address and password' })
  async logIn(
    @Body() input: LoginRequest,
    @From() visitor: Visitor,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    keepNowhere(response);
    const opened = await this.calls.send(logIn, anonymous, { ...input, ...visitor });
    rememberDevice(response, opened.deviceToken);
    return opened;
  }

  @Post('logout')
  @Requires(requirements.session)
  @Answers(Said)
  @ApiOperation({ summary: 'End the session, its tokens with it' })
  logOut(@Caller() scope: Scope): Promise<Said> {
    return this.calls.send(logOut, scope, {});
  }

  @Post('refrescar')
  @Requires(requirements.nobody)
  @Answers(SessionTokens)
  @ApiOperation({ summary: 'Renew the session; a refresh token works once' })
  refresh(@Body() input: RefreshRequest, @Res({ passthrough: true }) response: Response): Promise<SessionTokens> {
    keepNowhere(response);
    return this.calls.send(refreshSession, anonymous, input);
  }

  @Get('me')
  @Requires(requirements.credential)
  @Answers(UserContext)
  @ApiOperation({ summary: 'Tell who the caller is and where it stands' })
  me(@Caller() scope: Scope): Promise<UserContext> {
    return this.calls.send(describeSession, scope, {});
  }

  @Post('cambiar-entidad')
  @Requires(requirements.credential)
  @Answers(UserContext)
  @ApiOperation({ summary: 'Focus the session on an entity' })
  async changeEntity(@Caller() scope: Scope, @Body() input: ChangeEntity): Promise<UserContext> {
    await this.calls.send(changeEntity, scope, input);
    return this.afterwards(scope);
  }

  @Post('cambiar-grupo')
  @Requires(requirements.credential)
  @Answers(UserContext)
  @ApiOperation({ summary: 'Act in a group for the rest of the session' })
  async changeGroup(@Caller() scope: Scope, @Body() input: ChangeGroup): Promise<UserContext> {
    await this.calls.send(changeGroup, scope, input);
    return this.afterwards(scope);
  }

  @Post('cambiar-aplicacion')
  @Requires(requirements.credential)
  @Answers(UserContext)
  @ApiOperation({ summary: 'Work with an application for the rest of the session' })
  async changeApplication(@Caller() scope: Scope, @Body() input: ChangeApplication): Promise<UserContext> {
    await this.calls.send(changeApplication, scope, input);
    return this.afterwards(scope);
  }

  /** The context as it is after a change: a scope is what it was when it was verified. */
  private async afterwards(scope: Scope): Promise<UserContext> {
    return this.calls.send(describeSession, await this.reader.again(scope), {});
  }
}
