/** What a metric is, apart from its values. Each is declared once; docs/metrics.md is generated from the declarations. */
export interface MetricDeclaration<L extends string = string> {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The name, which begins with `acervo_` where it is published. */
  readonly name: string;
  /** One sentence for the reference and for `# HELP`. */
  readonly help: string;
  readonly labels: readonly L[];
  /** Upper bounds of a histogram in seconds; those of `SECONDS` unless set. */
  readonly buckets?: readonly number[];
  /** The engine or setting without which a service does not publish it, for the reference. */
  readonly only?: string;
}

type Further = Pick<MetricDeclaration, 'buckets' | 'only'>;

const declaring =
  (type: MetricDeclaration['type']) =>
  <const L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[] = [],
    further: Further = {},
  ): MetricDeclaration<L> => ({ type, name: `acervo_${name}`, help, labels, ...further });

export const declareCounter = declaring('counter');
export const declareGauge = declaring('gauge');
/** A histogram of seconds. */
export const declareSeconds = declaring('histogram');
