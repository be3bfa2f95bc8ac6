// A server as a child process, and requests to it.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const START_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 50;

/** A server answered 429 or 503: it has too much to do. */
export class Refusal extends Error {}

const REFUSED = [429, 503];

/** Sends and receives JSON. @throws Refusal, or an error with the beginning of another answer than 2xx */
export const ask = async (url, { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = {}) => {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...content });
  const text = await answer.text();
  if (!answer.ok) {
    const Kind = REFUSED.includes(answer.status) ? Refusal : Error;
    throw new Kind(`${url} answered ${answer.status}: ${text.slice(0, 500)}`);
  }
  return text === '' ? null : JSON.parse(text);
};

/** Stops a child, and kills it where it does not end. */
const stop = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  const late = AbortSignal.timeout(STOP_MS);
  late.addEventListener('abort', () => child.kill('SIGKILL'));
  await ended;
};

/**
 * Starts a server and waits until it answers.
 * @param log the file that its output is appended to
 * @param answers resolves to true once the server is ready; its errors mean that it is not
 * @throws if the process ends before
 */
export const startServer = async ({ command, args, env = {}, cwd, log, answers }) => {
  const output = openSync(log, 'a');
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', output, output] });
  closeSync(output);
  const end = performance.now() + START_MS;
  while (!(await answers().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop(child);
      throw new Error(`${command} did not start; its output is in ${log}.`);
    }
    await pause(POLL_MS);
  }
  return { pid: child.pid, stop: () => stop(child) };
};
