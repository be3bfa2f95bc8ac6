import { clusterWith, onStack } from '@acervo/platform-testing';
import { everyMigration } from './every-migration';
import { CLUSTER_VARIABLE } from './prepared-cluster';

/** Before all suites: a database as a first start makes it, which takes half of such a start. */
export default async (): Promise<void> => {
  if (!onStack()) process.env[CLUSTER_VARIABLE] = await clusterWith(everyMigration());
};
