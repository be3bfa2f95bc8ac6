// A server in the place of Unstructured that takes a while for each file.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Answers each file with one sentence, after `delayMs`; the delay may be changed. */
export class SlowExtractor {
  delayMs;
  /** Files that were sent here. */
  files = 0;
  #server;

  constructor(delayMs) {
    this.delayMs = delayMs;
    this.#server = createServer(async (request, response) => {
      request.resume();
      await once(request, 'end');
      this.files += 1;
      await pause(this.delayMs);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([{ type: 'NarrativeText', element_id: 'x', text: 'Acta lenta.', metadata: {} }]));
    });
  }

  /** Starts the server; answers the settings that send it the files with this ending. */
  async start(ending) {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address();
    return { ACERVO_UNSTRUCTURED_URL: `http://127.0.0.1:${port}`, ACERVO_UNSTRUCTURED_FORMATS: ending };
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
