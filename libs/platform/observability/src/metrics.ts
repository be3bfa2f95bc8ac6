import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of one service. It has its own registry, so services that share a process never share a metric. */
export class Metrics {
  readonly registry = new Registry();

  constructor(readonly service: string) {
    this.registry.setDefaultLabels({ service });
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `acervo_${name}`, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name: `acervo_${name}`, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** A histogram of seconds. */
  seconds<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({
      name: `acervo_${name}_seconds`,
      help,
      labelNames: [...labelNames],
      buckets: SECONDS,
      registers: [this.registry],
    });
  }
}
