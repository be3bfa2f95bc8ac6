import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  HealthCheckService,
  type HealthCheckResult,
  type HealthIndicatorFunction,
  HealthIndicatorService,
} from '@nestjs/terminus';
import type { Response } from 'express';
import { Flag, OpenObject } from '@acervo/contracts';
import { requirements, Requires } from '@acervo/rbac';
import { Answers } from '../answers';
import { Draining } from '../drain';
import { answersInTime, type ReadinessCheck, ReadinessChecks, type ReadinessReport } from './readiness-checks';

class Liveness {
  @Flag({ description: 'The process answers' }) readonly live!: boolean;
}

class Readiness implements ReadinessReport {
  @Flag({ description: 'The process can answer requests' }) readonly ready!: boolean;
  @OpenObject({ description: 'Whether each engine answers, by name' }) readonly checks!: Readonly<
    Record<string, boolean>
  >;
}

const UNAVAILABLE = 503;

/** Whether the process lives and can serve. An absent optional engine is named and leaves the process ready. */
@ApiExcludeController()
@Controller('health')
@Requires(requirements.nobody)
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly checks: ReadinessChecks,
    private readonly draining: Draining,
  ) {}

  @Get('live')
  @Answers(Liveness)
  live(): Liveness {
    return { live: true };
  }

  @Get('ready')
  @Answers(Readiness)
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const report = await this.report();
    if (!report.ready) response.status(UNAVAILABLE);
    return report;
  }

  /** The readiness report without a request, for a process that runs several applications. */
  async report(): Promise<ReadinessReport> {
    const { status, details } = await this.checked();
    const answers = Object.entries(details).map(([name, { status: state }]) => [name, state === 'up'] as const);
    return { ready: status !== 'error' && !this.draining.begun, checks: Object.fromEntries(answers) };
  }

  private async checked(): Promise<HealthCheckResult> {
    try {
      return await this.health.check(this.checks.all.map((check) => this.indicatorOf(check)));
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return error.getResponse() as HealthCheckResult;
    }
  }

  private indicatorOf(check: ReadinessCheck): HealthIndicatorFunction {
    return async () => {
      const indicator = this.indicators.check(check.name);
      if (await answersInTime(check)) return indicator.up();
      return check.optional === true ? indicator.degraded() : indicator.down();
    };
  }
}
