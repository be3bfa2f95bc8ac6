import { replayDead, replayedMessage } from '@acervo/platform-messaging';
import type { AdminCommand } from './admin-commands';

/** Returns the dead letters of a service to `incoming`; any of its running processes handles them. */
export const replayDeadCommand: AdminCommand = {
  name: 'replay-dead',
  about: 'have events handled again that were laid aside because they failed too often',
  execute: async ({ service, database, print }) => {
    print(replayedMessage(service, await replayDead(database, service)));
  },
};
