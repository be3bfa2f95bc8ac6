import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectory } from '@acervo/standalone/data-directory';

/** Variable with the path of the prepared database; `prepare-cluster` sets it for the suites. */
export const CLUSTER_VARIABLE = 'ACERVO_TEST_CLUSTER';

/** Copies the prepared database into a new data directory; an existing installation stays unchanged. */
export const placeCluster = (data: string): void => {
  const cluster = process.env[CLUSTER_VARIABLE];
  if (cluster === undefined || existsSync(join(data, 'acervo.json'))) return;
  cpSync(cluster, DataDirectory.open(data).database, { recursive: true });
};
