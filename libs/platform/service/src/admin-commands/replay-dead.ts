import { replayDead, replayedMessage } from '@acervo/platform-messaging';
import { adminCommand } from './admin-commands';

/** Returns the dead letters of a service to `incoming`; any of its running processes handles them. */
export const replayDeadCommand = adminCommand('replay-dead', async ({ service, database, print }) => {
  const replayed = await replayDead(database, service);
  if (replayed.events > 0) print(replayedMessage(service, replayed));
});
