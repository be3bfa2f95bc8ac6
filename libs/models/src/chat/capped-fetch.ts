import { ChatModelFailure } from './chat.errors';

/** Most bytes of one answer with everything around its text; a hostile endpoint could send bytes for ever. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** `fetch` whose answers end with an error after so many bytes, and which follows no redirect. */
export const cappedFetch =
  (most = MOST_BYTES): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: 'error' });
    if (answer.body === null) return answer;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        bytes += part.byteLength;
        if (bytes > most) controller.error(new ChatModelFailure('UNUSABLE', 'it is too long'));
        else controller.enqueue(part);
      },
    });
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(counted), { status, statusText, headers });
  };
