// The embedder of all systems: it answers at once, outside of every measured process.
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Serves weak vectors while `work` runs. @param work gets the address, and `counts`, which resolves to those so far */
export const withCountingEmbedder = async (work) => {
  const child = fork(new URL('./embedder-process.mjs', import.meta.url));
  try {
    const [{ port }] = await once(child, 'message');
    const counts = async () => {
      const answer = once(child, 'message');
      child.send('counts');
      return (await answer)[0];
    };
    return await work({ url: `http://127.0.0.1:${port}/v1`, counts });
  } finally {
    child.disconnect();
  }
};
