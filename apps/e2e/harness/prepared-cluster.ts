import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { PREPARED_CLUSTER } from '@acervo/platform-testing';
import { DataDirectory } from '@acervo/standalone/data-directory';

/** Copies the prepared database into a new data directory; an existing installation stays unchanged. */
export const placeCluster = (data: string): void => {
  const cluster = process.env[PREPARED_CLUSTER];
  if (cluster === undefined || existsSync(join(data, 'acervo.json'))) return;
  cpSync(cluster, DataDirectory.open(data).database, { recursive: true });
};
