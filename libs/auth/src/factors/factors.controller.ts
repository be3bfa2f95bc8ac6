import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ChallengeFactor,
  challengeFactor,
  ElevatedSession,
  EnrolledFactor,
  EnrollFactor,
  enrollFactor,
  FactorList,
  FactorName,
  listFactors,
  OpenedChallenge,
  Confirmation,
  unenrollFactor,
  VerifyFactor,
  verifyFactor,
  type ClientInfo,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import { SecurityLog } from '../attempts/security-log';
import { Client, keepNowhere, rememberDevice } from '../kernel/client-info';

@ApiTags('mfa')
@ApiBearerAuth('credential')
@Controller('auth/mfa')
export class FactorsController {
  constructor(
    private readonly calls: Calls,
    private readonly log: SecurityLog,
  ) {}

  @Post('enroll')
  @Requires(requirements.credential)
  @Answers(EnrolledFactor)
  @ApiOperation({ summary: 'Begin to enroll a second factor; it counts once it is verified' })
  enroll(
    @Caller() scope: Scope,
    @Body() input: EnrollFactor,
    @Client() { address }: ClientInfo,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EnrolledFactor> {
    keepNowhere(response);
    const event = { security: 'factor', step: 'enroll', account: scope.userCode, address } as const;
    return this.log.watch(event, () => this.calls.send(enrollFactor, scope, input));
  }

  @Post('challenge')
  @Requires(requirements.session)
  @Answers(OpenedChallenge)
  @ApiOperation({ summary: 'Open a challenge of a factor' })
  challenge(
    @Caller() scope: Scope,
    @Body() input: ChallengeFactor,
    @Client() { deviceToken }: ClientInfo,
  ): Promise<OpenedChallenge> {
    return this.calls.send(challengeFactor, scope, { ...input, deviceToken });
  }

  @Post('verify')
  @Requires(requirements.session)
  @Answers(ElevatedSession)
  @ApiOperation({ summary: 'Verify a challenge; the session then has the factor, and its tokens name it' })
  async verify(
    @Caller() scope: Scope,
    @Body() input: VerifyFactor,
    @Client() { address, deviceToken }: ClientInfo,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ElevatedSession> {
    keepNowhere(response);
    const event = { security: 'sign_in', step: 'second_factor', account: scope.userCode, address } as const;
    const opened = await this.log.watch(event, () => this.calls.send(verifyFactor, scope, { ...input, deviceToken }));
    rememberDevice(response, opened.deviceToken);
    return opened;
  }

  @Post('unenroll')
  @Requires(requirements.credential)
  @Answers(Confirmation)
  @ApiOperation({ summary: 'Remove a factor; a verified one only with a session that has given one' })
  unenroll(
    @Caller() scope: Scope,
    @Body() input: FactorName,
    @Client() { address }: ClientInfo,
  ): Promise<Confirmation> {
    const event = { security: 'factor', step: 'remove', account: scope.userCode, address } as const;
    return this.log.watch(event, () => this.calls.send(unenrollFactor, scope, input));
  }

  @Get('factors')
  @Requires(requirements.session)
  @Answers(FactorList)
  @ApiOperation({ summary: 'List verified and pending factors' })
  factors(@Caller() scope: Scope): Promise<FactorList> {
    return this.calls.send(listFactors, scope, {});
  }
}
