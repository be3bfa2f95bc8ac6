import { Body, Controller, Get, Post, Res } from '@nestjs/common';
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
  Confirmation,
  SessionTokens,
  UserContext,
  type ClientInfo,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { anonymous, requirements, Requires, type Scope } from '@acervo/rbac';
import { SecurityLog } from '../attempts/security-log';
import { ScopeRenewal } from './scope-renewal';
import { Client, keepNowhere, rememberDevice } from '../kernel/client-info';

@ApiTags('auth')
@ApiBearerAuth('credential')
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly calls: Calls,
    private readonly renewal: ScopeRenewal,
    private readonly log: SecurityLog,
  ) {}

  @Post('login')
  @Requires(requirements.nobody)
  @Answers(LoginResponse)
  @ApiOperation({ summary: 'Begin a session with address and password' })
  async logIn(
    @Body() input: LoginRequest,
    @Client() client: ClientInfo,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    keepNowhere(response);
    const event = { security: 'sign_in', step: 'password', account: input.email, address: client.address } as const;
    const opened = await this.log.watch(event, () => this.calls.send(logIn, anonymous, { ...input, ...client }));
    rememberDevice(response, opened.deviceToken);
    return opened;
  }

  @Post('logout')
  @Requires(requirements.session)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'End the session, its tokens with it' })
  logOut(@Caller() scope: Scope, @Client() { address }: ClientInfo): Promise<Confirmation> {
    const event = { security: 'session', step: 'log_out', account: scope.userCode, address } as const;
    return this.log.watch(event, () => this.calls.send(logOut, scope, {}));
  }

  @Post('refrescar')
  @Requires(requirements.nobody)
  @Answers(SessionTokens)
  @ApiOperation({ summary: 'Renew the session; a refresh token works once' })
  refresh(
    @Body() input: RefreshRequest,
    @Client() { address }: ClientInfo,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionTokens> {
    keepNowhere(response);
    const event = { security: 'session', step: 'refresh', address } as const;
    return this.log.watch(event, () => this.calls.send(refreshSession, anonymous, input));
  }

  @Get('me')
  @Requires(requirements.credential)
  @Answers(UserContext)
  @ApiOperation({ summary: 'Show the caller with its group, entity, role and functions' })
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

  /** The context after a change. */
  private async afterwards(scope: Scope): Promise<UserContext> {
    return this.calls.send(describeSession, await this.renewal.again(scope), {});
  }
}
