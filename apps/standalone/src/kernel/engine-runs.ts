import { type EngineRuns, RUN_KINDS } from '@acervo/platform-database';
import { declareCounter, type MetricDeclaration, type Metrics } from '@acervo/platform-observability';

const RUNS = declareCounter(
  'embedded_engine_runs_total',
  'Runs of the embedded database, by kind: statements (of the services), role (changes), question (whether the role is left), cleaning (behind a lost connection), checkpoint; renewed every 5 s',
  ['kind'],
);

/** Metrics of the program of one machine, beside those of its services. */
export const standaloneMetrics: readonly MetricDeclaration[] = [RUNS];

/** Counts the runs that the embedded database reports since its last report. */
export const engineRunsCounter = (metrics: Metrics): ((increase: EngineRuns) => void) => {
  const counter = metrics.counter(RUNS, { kind: RUN_KINDS });
  return (increase) => {
    for (const kind of RUN_KINDS) counter.inc({ kind }, increase[kind]);
  };
};
