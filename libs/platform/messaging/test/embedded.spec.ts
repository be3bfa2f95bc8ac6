import { RELAY_ROLE } from '@acervo/platform-database';
import { EmbeddedRelay } from '../src';
import { describeDelivery } from './delivery.behaviour';
import { describeTraces } from './traces.behaviour';
import { describeWaiting } from './waiting-events.behaviour';
import type { OpenWay } from './way';

const open: OpenWay = (server, logger) => {
  const relays = [0, 1].map(() => new EmbeddedRelay(server.connection(RELAY_ROLE), logger));
  return Promise.resolve({
    moves: relays.map((relay) => () => relay.moveAll()),
    deliver: async () => {
      await Promise.all(relays.map((relay) => relay.moveAll()));
      for (const relay of relays) await relay.moveAll();
    },
    close: async () => {
      for (const relay of relays) await relay.stop();
    },
  });
};

describeDelivery('the relay of one machine', open);
describeWaiting('the relay of one machine', open);
describeTraces('the relay of one machine', open);
