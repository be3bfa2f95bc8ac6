import type { Calls } from '@acervo/platform-calls';
import type { Logger, Metrics } from '@acervo/platform-observability';
import type { ObjectStoreConfig, ServiceKit } from '@acervo/platform-service';
import type { Discards } from '../documents/discards';
import type { DocumentFacts } from '../documents/document.facts';
import { LongMissing } from '../documents/long-missing';
import type { EarlierVectorsStore } from '../embedding/earlier-vectors.store';
import { BelievedStore } from './believed.store';
import { Comparison } from './comparison';
import { ObjectCheck } from './object-check';
import { ReconcileStage } from './reconcile.stage';
import { ReconciliationStore } from './reconciliation.store';
import { Reconciler } from './reconciler';
import { Repairs } from './repairs';
import { StoresCalls } from './stores.calls';

export interface ReconciliationParts {
  readonly engines: Pick<ServiceKit<ObjectStoreConfig>['engines'], 'background' | 'tasks' | 'objects'> & {
    readonly doorbells: Pick<ServiceKit['engines']['doorbells'], 'ring'>;
  };
  readonly config: {
    readonly reconcileSeconds: number;
    readonly reconcileSettleSeconds: number;
    readonly objectGraceHours: number;
  };
  readonly calls: Pick<Calls, 'send'>;
  readonly facts: DocumentFacts;
  readonly discards: Discards;
  readonly earlier: EarlierVectorsStore;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
}

const HOUR_MS = 3_600_000;

/** The objects that keep the stores of all groups in agreement. */
export const composeReconciliation = ({
  engines,
  config,
  calls,
  facts,
  discards,
  earlier,
  logger,
  metrics,
}: ReconciliationParts): readonly object[] => {
  const { background: database, tasks, doorbells, objects } = engines;
  const store = new ReconciliationStore(database);
  const reconciler = new Reconciler({
    comparison: new Comparison(new BelievedStore(database), calls),
    check: new ObjectCheck(database, objects, config.objectGraceHours * HOUR_MS),
    repairs: new Repairs({ database, calls, tasks, doorbells, facts, discards }),
  });
  const longMissing = new LongMissing(database, discards, earlier);
  const times = { everyMs: config.reconcileSeconds * 1_000, settleMs: config.reconcileSettleSeconds * 1_000 };
  return [
    new ReconcileStage({ database, tasks, reconciler, store, longMissing, times, logger, metrics }),
    new StoresCalls({ database, tasks, doorbells, store }),
  ];
};
