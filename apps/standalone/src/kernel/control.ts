import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';
import { Periodic } from '@acervo/platform-resilience';
import type { Print } from './print';
import type { StartOptions } from './options';

/** A request of another start to the program that runs on the same data directory. */
export interface ControlRequest extends Partial<
  Pick<StartOptions, 'embedder' | 'key' | 'passphrase' | 'port' | 'portNamed' | 'processes' | 'scanOnly'>
> {
  readonly folder: string | null;
  readonly acceptDeletions: boolean;
  readonly commands: readonly AdminCommandRequest[];
}

const FILE = 'control.json';
/** The form of a request: 2 names its admin commands in a list, 3 has the API key of the caller in a field. */
const PROTOCOL = 3;
const MOST_BYTES = 64_000;

interface Door {
  readonly port: number;
  readonly token: string;
  /** Absent in a file of an older version. */
  readonly protocol?: number;
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

/** One line of the response, as JSON: a line to print, or at the end the exit code of the command. */
type Part = { readonly line: string } | { readonly code: number };

/** A client gives up a response that is silent for minutes; an empty line keeps it open. */
const PULSE_MS = 15_000;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Executes a request and streams its output; an error becomes a line and exit code 1. */
const answerWith = async (response: ServerResponse, work: (print: Print) => Promise<number>): Promise<void> => {
  const send = (part: Part): unknown => response.write(`${JSON.stringify(part)}\n`);
  const pulse = new Periodic(() => void response.write('\n'), { everyMs: PULSE_MS });
  pulse.start();
  try {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    send({ code: await work((line) => void send({ line })) });
  } catch (error) {
    send({ line: `This could not be done: ${reasonOf(error)}` });
    send({ code: 1 });
  } finally {
    await pulse.stop();
    response.end();
  }
};

/** Refuses a request in the form of another version: its commands are unknown. */
const refuse = (print: Print): Promise<number> => {
  print('The running program has another version than this start, so nothing was done. Stop it and start it again.');
  return Promise.resolve(1);
};

/**
 * Opens the control server for other starts on the same data directory. It listens on loopback, and requires the token
 * from a file that only the owner of the directory can read.
 * @param execute prints lines as they occur, and returns the exit code of the command
 */
export const openControl = async (
  directory: string,
  execute: (request: ControlRequest, print: Print) => Promise<number>,
): Promise<{ close(): Promise<void> }> => {
  const token = randomBytes(24).toString('hex');
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`)) return void response.writeHead(401).end();
    const asked = JSON.parse(await bodyOf(request)) as ControlRequest;
    await answerWith(response, (print) => (Array.isArray(asked.commands) ? execute(asked, print) : refuse(print)));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const door: Door = { port, token, protocol: PROTOCOL };
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

/**
 * Response of the program that runs on a data directory; undefined if no program answers. A program of another version
 * gets no token, so that it executes nothing: it would skip commands that it does not understand.
 */
const reach = async (
  directory: string,
  request: ControlRequest,
): Promise<Response['body'] | 'other version' | undefined> => {
  try {
    const { port, token, protocol } = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Door;
    const isKnown = protocol === PROTOCOL;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${isKnown ? token : ''}` },
      body: JSON.stringify(request),
    });
    if (!isKnown && answer.status === 401) return 'other version';
    return answer.ok ? answer.body : undefined;
  } catch {
    return undefined;
  }
};

/** Prints the lines of a response as they arrive; returns the exit code, or undefined if the response breaks off. */
const hear = async (body: NonNullable<Response['body']>, print: Print): Promise<number | undefined> => {
  let [rest, code]: [string, number | undefined] = ['', undefined];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((each) => each !== '')) {
      const part = JSON.parse(line) as Part;
      if ('code' in part) code = part.code;
      else print(part.line);
    }
  }
  return code;
};

/**
 * Sends a request to the program that runs on a data directory. Returns the exit code of the command, or undefined if
 * no program answers.
 */
export const askRunning = async (
  directory: string,
  request: ControlRequest,
  print: Print,
): Promise<number | undefined> => {
  const body = await reach(directory, request);
  if (body === 'other version') return refuse(print);
  if (body === undefined || body === null) return undefined;
  const code = await hear(body, print).catch(() => undefined);
  if (code === undefined)
    print('The running program ended before it answered, or has another version; --status shows whether it runs.');
  return code ?? 1;
};
