import { clusterWith, onStack } from '@acervo/platform-testing';
import { everyMigration } from './every-migration';
import { CLUSTER_VARIABLE } from './prepared-cluster';

/** Global setup: prepares the database of a first start, which takes half the time of such a start. */
export default async (): Promise<void> => {
  if (!onStack()) process.env[CLUSTER_VARIABLE] = await clusterWith(everyMigration());
};
