import { ConnectionTurns } from './connection-turns';

describe('the turns of connections', () => {
  it('each of several connections ends once in a life on average', () => {
    let now = 0;
    const turns = new ConnectionTurns(4, 20_000, () => now);
    let ended = 0;
    for (; now < 60_000; now += 10) ended += turns.isDue() ? 1 : 0;
    // Four connections, three lives each; the first ones end after a quarter of a life.
    expect(ended).toBeGreaterThanOrEqual(11);
    expect(ended).toBeLessThanOrEqual(12);
  });
});
