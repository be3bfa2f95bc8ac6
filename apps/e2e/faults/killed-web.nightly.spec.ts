import { REQUESTS_PER_SECOND, webPagesSurvive } from '../journeys/web-pages';

describe('web locations whose program is killed twenty times', () => {
  const world = webPagesSurvive({ research: 10, fetching: 10 });

  it('ask their site at its pace all the time', () => {
    // The budget of a process may be full, and the next process begins with a full one.
    expect(world.mostInASecond()).toBeLessThanOrEqual(2 * REQUESTS_PER_SECOND);
  });
});
