// Continuous searches.
import { queries } from '../texts.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const search = async ({ port, key }, query) => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/documents/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
  await answer.json();
};

/** Searches with a pause between two, until it is stopped or has reached a number; returns the times. */
export const searching = (where, { betweenMs, most = Infinity, asked = queries }) => {
  const times = [];
  let stopped = false;
  const run = async () => {
    for (const query of asked(10_000)) {
      if (stopped || times.length >= most) return;
      const started = performance.now();
      await search(where, query);
      times.push(performance.now() - started);
      await pause(betweenMs);
    }
  };
  const over = run();
  const done = async () => {
    await over;
    return times;
  };
  const stop = () => {
    stopped = true;
    return done();
  };
  return { done, stop };
};
