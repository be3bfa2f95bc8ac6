// Compares expressions of Prometheus with the metrics and labels that docs/metrics.md lists.

/** Metrics by name, with their type and labels. @param text docs/metrics.md */
export const documentedMetrics = (text) =>
  new Map(
    [...text.matchAll(/^\| `(\w+)` *\| (\w+) *\|([^|]*)\|/gm)].map(([, name, type, labels]) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) },
    ]),
  );

const SERIES = /\b((?:acervo|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
/** Labels that Prometheus and its targets add. */
const EVERYWHERE = ['service', 'slo'];

const metricOf = (metrics, series) => {
  const base = series.replace(/_(bucket|sum|count)$/, '');
  const isHistogram = metrics.get(base)?.type === 'histogram';
  return isHistogram && base !== series ? [base, ['le']] : [series, []];
};

const labelsOf = (matchers = '') => [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label);
const grouped = (expr) => [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list]) => list.split(/,\s*/));

/** What an expression asks for that no program publishes. */
export const expressionProblems = (metrics, expr) => {
  const found = [...expr.matchAll(SERIES)].map(([, series, matchers]) => {
    const [name, added] = metricOf(metrics, series);
    const metric = metrics.get(name);
    return { series, metric, labels: [...(metric?.labels ?? []), ...added, ...EVERYWHERE], matchers };
  });
  const publishedLabels = new Set([...found.flatMap((each) => each.labels), ...EVERYWHERE, 'alertname']);
  return [
    ...found
      .filter(({ metric }) => metric === undefined)
      .map(({ series }) => `${series} is no metric of docs/metrics.md`),
    ...found
      .filter(({ metric, series }) => metric?.type === 'histogram' && !/_(bucket|sum|count)$/.test(series))
      .map(({ series }) => `${series} is a histogram: it has _bucket, _sum and _count`),
    ...found.flatMap(({ series, metric, labels, matchers }) =>
      metric === undefined
        ? []
        : labelsOf(matchers)
            .filter((label) => !labels.includes(label))
            .map((label) => `${series} has no label ${label}`),
    ),
    ...grouped(expr)
      .filter((label) => !publishedLabels.has(label))
      .map((label) => `no series of it has the label ${label}`),
  ];
};
