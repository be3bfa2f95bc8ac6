import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Say } from './intake';
import type { WishesForPeople } from './people-desk';

/** What another start may ask of the program that already runs on a data directory. */
export interface ControlRequest extends WishesForPeople {
  readonly folder: string | null;
  readonly status: boolean;
  readonly retryFailed: boolean;
  readonly acceptDeletions: boolean;
  /** Where to write what the folders do not hold. */
  readonly exportTo?: string | null;
  /** Derive the indexes again. */
  readonly rebuild?: boolean;
  /** Walk the chain of audit records. */
  readonly verifyAudit?: boolean;
  /** Handle events again that were laid aside. */
  readonly replayDead?: boolean;
}

const FILE = 'control.json';
const MOST_BYTES = 64_000;

interface Door {
  readonly port: number;
  readonly token: string;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > MOST_BYTES) throw new Error('The request is too long.');
  }
  return text;
};

const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * A door for other starts on the same data directory: on this machine only, for whoever may read the file with its
 * token, which only the owner of the directory can. Answers are lines for people, as they come.
 */
export const openControl = async (
  directory: string,
  carryOut: (request: ControlRequest, say: Say) => Promise<void>,
): Promise<{ close(): Promise<void> }> => {
  const token = randomBytes(24).toString('hex');
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`)) return void response.writeHead(401).end();
    const asked = JSON.parse(await bodyOf(request)) as ControlRequest;
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    await carryOut(asked, (line) => response.write(`${line}\n`));
    response.end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.end(`${String(error)}\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const door: Door = { port: typeof address === 'object' && address !== null ? address.port : 0, token };
  writeFileSync(join(directory, FILE), JSON.stringify(door), { mode: 0o600 });
  return {
    close: () =>
      new Promise((resolve) => {
        rmSync(join(directory, FILE), { force: true });
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Hands a request to the program that runs on a data directory; false where none answers. */
export const askRunning = async (directory: string, request: ControlRequest, say: Say): Promise<boolean> => {
  try {
    const { port, token } = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Door;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(request),
    });
    if (!answer.ok || answer.body === null) return false;
    let rest = '';
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(say);
    }
    return true;
  } catch {
    return false;
  }
};
