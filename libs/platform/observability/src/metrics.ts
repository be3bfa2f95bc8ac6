import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { declareCounter, declareGauge, type MetricDeclaration } from './metric-declarations';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** How often the delay of the event loop is sampled, in milliseconds; each sample wakes the process. */
const LOOP_SAMPLE_MS = 50;

const BUILD_INFO = declareGauge('build_info', 'Always 1; the labels name the build that runs', [
  ...(['version', 'commit', 'node'] as const),
]);
export const SPANS = declareCounter(
  'spans_total',
  'Spans that were handed over to the receiver, by outcome: taken, lost',
  ['outcome'],
  { only: 'ACERVO_OTLP_URL' },
);
export const observabilityMetrics: readonly MetricDeclaration[] = [BUILD_INFO, SPANS];

/** The metrics of one service. It has its own registry, so services that share a process never share a metric. */
export class Metrics {
  readonly registry = new Registry();

  constructor(readonly service: string) {
    this.registry.setDefaultLabels({ service });
  }

  /** @param labelValues those that are known in advance: their combinations begin at zero, since a rate needs a start */
  counter<L extends string>(
    declaration: MetricDeclaration<L>,
    labelValues?: Readonly<Record<L, readonly string[]>>,
  ): Counter<L> {
    const counter = new Counter(this.optionsOf(declaration));
    if (labelValues !== undefined) beginAtZero(counter, labelValues);
    return counter;
  }

  /** @param collect sets the values at each scrape, from memory: a scrape asks no engine */
  gauge<L extends string>(declaration: MetricDeclaration<L>, collect?: (gauge: Gauge<L>) => void): Gauge<L> {
    const gauge: Gauge<L> = new Gauge({
      ...this.optionsOf(declaration),
      ...(collect === undefined ? {} : { collect: () => collect(gauge) }),
    });
    return gauge;
  }

  /** A histogram of seconds. */
  seconds<L extends string>(declaration: MetricDeclaration<L>): Histogram<L> {
    return new Histogram({ ...this.optionsOf(declaration), buckets: [...(declaration.buckets ?? SECONDS)] });
  }

  /** Publishes which build runs. */
  describeBuild({ version, commit }: { readonly version: string; readonly commit: string | null }): void {
    this.gauge(BUILD_INFO).set({ version, commit: commit ?? 'unknown', node: process.version }, 1);
  }

  /** Publishes what the library measures of a Node process: memory, processor, event loop, garbage collection. */
  describeProcess(): void {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  }

  private optionsOf<L extends string>({ name, help, labels }: MetricDeclaration<L>) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }
}

const combinationsOf = (labelValues: readonly (readonly [string, readonly string[]])[]): Record<string, string>[] =>
  labelValues.reduce<Record<string, string>[]>(
    (found, [label, values]) => found.flatMap((labels) => values.map((value) => ({ ...labels, [label]: value }))),
    [{}],
  );

/** Lets a counter begin at zero for every combination of these label values. */
export const beginAtZero = <L extends string>(
  counter: Counter<L>,
  labelValues: Readonly<Record<L, readonly string[]>>,
): void => {
  for (const labels of combinationsOf(Object.entries<readonly string[]>(labelValues)))
    counter.inc(labels as Partial<Record<L, string>>, 0);
};

/** The declared labels of a metric; the library keeps them and does not type them. */
const labelsOf = (metric: object): readonly string[] => Reflect.get(metric, 'labelNames') as readonly string[];

/** What the library measures of a Node process, as declarations for the reference. */
export const processMetrics = async (): Promise<MetricDeclaration[]> => {
  const { registry } = new Metrics('reference');
  collectDefaultMetrics({ register: registry });
  const described = await registry.getMetricsAsJSON();
  return described.map(({ name, help, type }) => ({
    type: String(type) as MetricDeclaration['type'],
    ...{ name, help },
    labels: labelsOf(registry.getSingleMetric(name) ?? {}),
  }));
};
