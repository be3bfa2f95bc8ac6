import { services } from '@acervo/contracts';
import { appRole, Database, type DatabaseConnection } from '@acervo/platform-database';
import { replayDead, replayedMessage } from '@acervo/platform-messaging';
import type { Print } from '../folders/ingest-folder';

/** Replays the dead-lettered events of all services, and prints their number. */
export const replayDeadFor = async (connection: (role: string) => DatabaseConnection, print: Print): Promise<void> => {
  let total = 0;
  for (const service of services) {
    const database = new Database({ ...connection(appRole(service)), priority: 'background', max: 1 });
    const replayed = await replayDead(database, service).finally(() => database.close());
    if (replayed.events > 0) print(replayedMessage(service, replayed));
    total += replayed.events;
  }
  if (total === 0) print('No event was laid aside.');
};
