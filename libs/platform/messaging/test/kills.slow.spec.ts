import { eventsSurvive } from './kills';

describe('a process that is killed, event by event', () => {
  eventsSurvive({ atOnce: null, relay: [], consumer: [125], withDeadLetter: false });
});

describe('a process that is killed, with 64 events at once', () => {
  eventsSurvive({ atOnce: 64, relay: [2], consumer: [125], withDeadLetter: true });
});
