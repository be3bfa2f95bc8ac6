import { services } from '@acervo/contracts';
import { appRole, Database, type DatabaseConnection } from '@acervo/platform-database';
import { replayDead, replayedSentence } from '@acervo/platform-messaging';
import type { Say } from './intake';

/** Gives back what services laid aside because it failed too often, and says how much that was. */
export const replayDeadFor = async (connection: (role: string) => DatabaseConnection, say: Say): Promise<void> => {
  let total = 0;
  for (const service of services) {
    const database = new Database({ ...connection(appRole(service)), lane: 'background', max: 1 });
    const replayed = await replayDead(database, service).finally(() => database.close());
    if (replayed.events > 0) say(replayedSentence(service, replayed));
    total += replayed.events;
  }
  if (total === 0) say('No event was laid aside.');
};
