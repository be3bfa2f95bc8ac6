import type { MetricDeclaration } from './metric-declarations';

/** A service and the metrics that it publishes. */
export interface MeasuredService {
  readonly name: string;
  readonly metrics: readonly MetricDeclaration[];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

const rowOf = ({ name, type, labels, help, only }: MetricDeclaration): string => {
  const condition = only === undefined ? '' : ` (with \`${only}\`)`;
  return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${cell(help)}${condition} |`;
};

const tableOf = (title: string, metrics: readonly MetricDeclaration[]): string =>
  metrics.length === 0
    ? ''
    : `## ${title}

| Metric | Type | Labels | What it shows |
| --- | --- | --- | --- |
${metrics
  .toSorted((a, b) => a.name.localeCompare(b.name))
  .map(rowOf)
  .join('\n')}

`;

/** @throws where two declarations have one name */
const assertDistinct = (metrics: readonly MetricDeclaration[]): void => {
  const declared = new Map<string, MetricDeclaration>();
  for (const metric of metrics) {
    const other = declared.get(metric.name);
    if (other !== undefined && other !== metric) throw new Error(`${metric.name} is declared twice; keep one.`);
    declared.set(metric.name, metric);
  }
};

/**
 * The reference of all metrics in docs/metrics.md: first those of every service, then those of each. Generated from the
 * declarations.
 * @param process metrics of the Node process
 * @param program metrics of the program that runs all services on one machine
 * @throws where a name is declared twice
 */
export const metricsReference = (
  services: readonly MeasuredService[],
  process: readonly MetricDeclaration[],
  program: readonly MetricDeclaration[] = [],
): string => {
  const [first, ...rest] = services;
  assertDistinct([...services.flatMap(({ metrics }) => metrics), ...program]);
  const shared = (first?.metrics ?? []).filter((metric) => rest.every(({ metrics }) => metrics.includes(metric)));
  const sections = services.map(({ name, metrics }) =>
    tableOf(
      name,
      metrics.filter((metric) => !shared.includes(metric)),
    ),
  );
  return `# Metrics

For operators who set up monitoring. After this page you know every metric of \`/metrics\` on the internal port; [operations.md](operations.md#what-to-watch) says what to do about some. Each sample also has the label \`service\`. Labels are names of ours: no label names a group, a user or a document. This page is written by \`npm run openapi\` from the declarations; a test compares it with them, and with what running services publish.

${tableOf('Every service', shared)}${sections.join('')}${tableOf('The program of one machine', program)}${tableOf('The process', process)}`;
};
