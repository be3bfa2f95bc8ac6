import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Metrics } from '@acervo/platform-observability';
import { requirements, Requires } from '@acervo/rbac';
import { AnswersText } from '../answers';

/** The metrics of this process in the format of Prometheus. */
@ApiExcludeController()
@Controller('metrics')
@Requires(requirements.nobody)
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @AnswersText()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  figures(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
