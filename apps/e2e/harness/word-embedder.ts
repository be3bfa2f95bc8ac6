import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const DIMENSION = 384;

/** A vector of the words of a text: equal words have equal directions. */
const vectorOf = (text: string): number[] => {
  const vector = new Array<number>(DIMENSION).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = createHash('sha1').update(word).digest().readUInt32BE(0) % DIMENSION;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
};

/** A small server of the OpenAI embeddings API that records the texts it embeds. */
export class WordEmbedder {
  readonly texts: string[] = [];
  private pause: { readonly past: number; readonly isCounted: (text: string) => boolean } | undefined;
  private readonly waiting: (() => void)[] = [];
  private readonly server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: string[] };
      this.texts.push(...input);
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
      const answer = (): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      if (this.isPaused(input)) this.waiting.push(answer);
      else answer();
    });
  });

  /** The number of texts that were embedded. */
  get embedded(): number {
    return this.texts.length;
  }

  /** The number of requests that wait. */
  get waits(): number {
    return this.waiting.length;
  }

  /** Requests with counted texts past this number of them wait until `release`; texts of a start count for nothing. */
  pauseAfter(past: number, isCounted: (text: string) => boolean): void {
    this.pause = { past, isCounted };
  }

  /** Answers the requests that wait, and every later one at once. */
  release(): void {
    this.pause = undefined;
    for (const answer of this.waiting.splice(0)) answer();
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private isPaused(input: readonly string[]): boolean {
    const { pause } = this;
    return pause !== undefined && input.some(pause.isCounted) && this.texts.filter(pause.isCounted).length > pause.past;
  }
}
