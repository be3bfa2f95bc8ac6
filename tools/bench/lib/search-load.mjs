// Searches from a process of their own, so that the load is not measured with what it loads.
import { fork } from 'node:child_process';

/** Sends searches as asked; returns what the client process found. */
export const sent = (asked) =>
  new Promise((resolve, reject) => {
    const child = fork(new URL('./search-client.mjs', import.meta.url));
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`A client ended with ${code}.`)));
    child.send(asked);
  });
