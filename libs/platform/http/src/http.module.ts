import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { KnownTenants } from './admission';
import { AnswerInterceptor } from './answers';
import { RequestBodies } from './body';
import { ClosedPipe } from './closed-pipe';
import { Draining } from './drain';
import { RequirementGuard } from './guard';
import { HealthController } from './health/health.controller';
import { MetricsController } from './health/metrics.controller';
import { ReadinessChecks } from './health/readiness-checks';
import { ReadinessMonitor } from './health/readiness-monitor';
import { ProblemFilter } from './problem.filter';

/**
 * The HTTP layer of every application: closed guard, strict inputs, declared answers, fixed errors, health, metrics.
 */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [
    ReadinessChecks,
    ReadinessMonitor,
    KnownTenants,
    RequestBodies,
    Draining,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: ClosedPipe },
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
    { provide: APP_GUARD, useClass: RequirementGuard },
  ],
  exports: [RequestBodies, ReadinessChecks, ReadinessMonitor, Draining],
})
export class HttpModule {}
