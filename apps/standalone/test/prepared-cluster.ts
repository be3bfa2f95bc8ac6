import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectory } from '@acervo/standalone/data-directory';

/** Where `prepare-cluster` tells the suites of the database that it made. */
export const CLUSTER_VARIABLE = 'ACERVO_TEST_CLUSTER';

/** Puts the prepared database where a first start on `data` would make one; leaves an installation alone. */
export const placeCluster = (data: string): void => {
  const cluster = process.env[CLUSTER_VARIABLE];
  if (cluster === undefined || existsSync(join(data, 'acervo.json'))) return;
  cpSync(cluster, DataDirectory.open(data).database, { recursive: true });
};
