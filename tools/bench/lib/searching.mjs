// Continuous searches.
import { setTimeout as pause } from 'node:timers/promises';
import { queries } from '../texts.mjs';

/** One search, without the checks of the harness: its time is measured. */
export const search = async (installation, query) => {
  const { status } = await installation.send('POST', '/v1/documents/search', { query });
  if (status !== 200) throw new Error(`The search answered ${status}.`);
};

/** Searches with a pause between two, until it is stopped or has reached a number; returns the times. */
export const searching = (installation, { betweenMs, most = Infinity, asked = queries }) => {
  const times = [];
  let stopped = false;
  const run = async () => {
    for (const query of asked(10_000)) {
      if (stopped || times.length >= most) return;
      const started = performance.now();
      await search(installation, query);
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
