import {
  type DocumentIndexed,
  embeddingIndexLive,
  planAssigned,
  services,
  spaceDeleted,
  userDeletionStarted,
} from '@acervo/contracts';
import type { Metrics } from '@acervo/platform-observability';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { messagingMigrations, On } from '../src';

export { silent, until } from '@acervo/platform-testing';

/** A database in which every service can publish and listen. */
export const openMessaging = (): Promise<TestDatabase> =>
  openTestDatabase(Object.fromEntries(services.map((service) => [service, messagingMigrations(service)])));

/** Hears what ingestion listens to beside documents, and does nothing. */
export class OtherEvents {
  @On(embeddingIndexLive)
  live(): Promise<void> {
    return Promise.resolve();
  }

  @On(planAssigned)
  assigned(): Promise<void> {
    return Promise.resolve();
  }

  @On(spaceDeleted)
  deleted(): Promise<void> {
    return Promise.resolve();
  }

  @On(userDeletionStarted)
  deletedUser(): Promise<void> {
    return Promise.resolve();
  }
}

export const indexed = (documentId: string, revision: number): DocumentIndexed => ({
  documentId,
  revision,
  generation: 1,
  chunkCount: 1,
  hasVectors: true,
});

/** The values of a metric by its labels except the service; empty where it has none. */
export const figures = async (metrics: Metrics, name: string): Promise<Record<string, number>> => {
  const reported = (await metrics.registry.getMetricsAsJSON()).find((each) => each.name === `acervo_${name}`);
  const values = (reported?.values ?? []) as { value: number; labels: Record<string, string> }[];
  return Object.fromEntries(
    values.map(({ value, labels: { service: _service, ...labels } }) => [Object.values(labels).join(' '), value]),
  );
};
