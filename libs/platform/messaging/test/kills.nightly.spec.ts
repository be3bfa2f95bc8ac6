import { eventsSurvive } from './kills';

describe.each([
  ['event by event', null],
  ['with 64 events at once', 64],
])('a process that is killed again and again, %s', (_name, atOnce) => {
  eventsSurvive({ atOnce, relay: [2, 1, 2, 1, 2], consumer: [25, 50, 75, 100, 125], withDeadLetter: true });
});
