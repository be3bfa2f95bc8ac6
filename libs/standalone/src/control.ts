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

/** What goes through the door, one a line of JSON: lines for people, and at the end what a command ends with. */
type Part = { readonly line: string } | { readonly code: number };

/** An answer that is silent for minutes is given up by whoever waits for it; an empty line says that work goes on. */
const PULSE_MS = 15_000;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Carries a request out and answers what came of it as it comes; what fails is an answer, too. */
const answerWith = async (response: ServerResponse, work: (say: Say) => Promise<number>): Promise<void> => {
  const tell = (part: Part): unknown => response.write(`${JSON.stringify(part)}\n`);
  const pulse = setInterval(() => response.write('\n'), PULSE_MS);
  try {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    tell({ code: await work((line) => void tell({ line })) });
  } catch (error) {
    tell({ line: `This could not be done: ${reasonOf(error)}` });
    tell({ code: 1 });
  } finally {
    clearInterval(pulse);
    response.end();
  }
};

/**
 * A door for other starts on the same data directory: on this machine only, for whoever may read the file with its
 * token, which only the owner of the directory can.
 * @param carryOut says lines as they come, and answers the code that the command ends with
 */
export const openControl = async (
  directory: string,
  carryOut: (request: ControlRequest, say: Say) => Promise<number>,
): Promise<{ close(): Promise<void> }> => {
  const token = randomBytes(24).toString('hex');
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`)) return void response.writeHead(401).end();
    const asked = JSON.parse(await bodyOf(request)) as ControlRequest;
    await answerWith(response, (say) => carryOut(asked, say));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
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

/** The answer of the program that runs on a data directory; undefined where none does. */
const reach = async (directory: string, request: ControlRequest): Promise<Response['body'] | undefined> => {
  try {
    const { port, token } = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Door;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(request),
    });
    return answer.ok ? answer.body : undefined;
  } catch {
    return undefined;
  }
};

/** Says the lines of an answer as they come; answers the code at its end, undefined where it breaks off before that. */
const hear = async (body: NonNullable<Response['body']>, say: Say): Promise<number | undefined> => {
  let [rest, code]: [string, number | undefined] = ['', undefined];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((each) => each !== '')) {
      const part = JSON.parse(line) as Part;
      if ('code' in part) code = part.code;
      else say(part.line);
    }
  }
  return code;
};

/**
 * Hands a request to the program that runs on a data directory; answers the code that the command ends with, undefined
 * where no program answers.
 */
export const askRunning = async (directory: string, request: ControlRequest, say: Say): Promise<number | undefined> => {
  const body = await reach(directory, request);
  if (body === undefined || body === null) return undefined;
  const code = await hear(body, say).catch(() => undefined);
  if (code === undefined)
    say(
      'The program that runs ended before it had answered, or is of another version; --status tells whether it is there.',
    );
  return code ?? 1;
};
