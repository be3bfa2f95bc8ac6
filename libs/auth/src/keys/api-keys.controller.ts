import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiKeyItem,
  ApiKeyName,
  CreateApiKey,
  createApiKey,
  CreatedApiKey,
  listApiKeys,
  revokeApiKey,
  Confirmation,
  type ClientInfo,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersList, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import { SecurityLog } from '../attempts/security-log';
import { Client, keepNowhere } from '../kernel/client-info';

@ApiTags('auth')
@ApiBearerAuth('credential')
@Controller('auth/api-key')
export class ApiKeysController {
  constructor(
    private readonly calls: Calls,
    private readonly log: SecurityLog,
  ) {}

  @Get()
  @Requires(requirements.credential)
  @AnswersList(ApiKeyItem)
  @ApiOperation({ summary: 'List active keys: of the group for administrators, else of the caller' })
  async list(@Caller() scope: Scope): Promise<readonly ApiKeyItem[]> {
    return (await this.calls.send(listApiKeys, scope, {})).items;
  }

  @Post()
  @Requires(requirements.credential)
  @Answers(CreatedApiKey)
  @ApiOperation({ summary: 'Create a key for /v1; it is shown this once' })
  create(
    @Caller() scope: Scope,
    @Body() input: CreateApiKey,
    @Client() { address }: ClientInfo,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CreatedApiKey> {
    keepNowhere(response);
    const event = { security: 'api_key', step: 'create', account: scope.userCode, address } as const;
    return this.log.watch(event, () => this.calls.send(createApiKey, scope, input));
  }

  @Delete(':prefijo')
  @Requires(requirements.credential)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Revoke a key by its public name' })
  revoke(@Caller() scope: Scope, @Param() input: ApiKeyName, @Client() { address }: ClientInfo): Promise<Confirmation> {
    const event = { security: 'api_key', step: 'revoke', account: scope.userCode, address } as const;
    return this.log.watch(event, () => this.calls.send(revokeApiKey, scope, input));
  }
}
