import { type DocumentIndexed, services } from '@acervo/contracts';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { messagingMigrations } from '../src';

export { silent } from '@acervo/platform-testing';

/** A database in which every service can publish and listen. */
export const openMessaging = (): Promise<TestDatabase> =>
  openTestDatabase(Object.fromEntries(services.map((service) => [service, messagingMigrations(service)])));

export const indexed = (documentId: string, revision: number): DocumentIndexed => ({
  documentId,
  revision,
  generation: 1,
  chunkCount: 1,
});

/** Waits until something is so. @throws after the time it may take */
export const until = async (what: string, holds: () => Promise<boolean> | boolean, ms: number): Promise<void> => {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
