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
import type { ReadinessCheck, ReadinessReport } from './readiness-checks';
import { ReadinessMonitor } from './readiness-monitor';

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

/**
 * Whether the process lives and can serve, from the memory of the background checks. An absent optional engine is named
 * and leaves the process ready.
 */
@ApiExcludeController()
@Controller('health')
@Requires(requirements.nobody)
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly monitor: ReadinessMonitor,
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

  /** The readiness report from memory, without a request, for a process that runs several applications. */
  async report(): Promise<ReadinessReport> {
    const { status, details } = await this.checked();
    const answers = Object.entries(details).map(([name, { status: state }]) => [name, state === 'up'] as const);
    return { ready: status !== 'error' && !this.draining.begun, checks: Object.fromEntries(answers) };
  }

  private async checked(): Promise<HealthCheckResult> {
    try {
      return await this.health.check(this.monitor.all.map(({ check, isUp }) => this.indicatorOf(check, isUp)));
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return error.getResponse() as HealthCheckResult;
    }
  }

  private indicatorOf({ name, optional }: ReadinessCheck, isUp: boolean): HealthIndicatorFunction {
    return () => {
      const indicator = this.indicators.check(name);
      if (isUp) return indicator.up();
      return optional === true ? indicator.degraded() : indicator.down();
    };
  }
}
