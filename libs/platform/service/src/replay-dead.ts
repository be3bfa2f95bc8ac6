import { replayDead, replayedSentence } from '@acervo/platform-messaging';
import type { Wish } from './wishes';

/** Gives the events that a service laid aside back to be handled, by whichever of its processes run. */
export const replayDeadWish: Wish = {
  name: 'replay-dead',
  about: 'have events handled again that were laid aside because they failed too often',
  carryOut: async ({ service, database, say }) => {
    say(replayedSentence(service, await replayDead(database, service)));
  },
};
