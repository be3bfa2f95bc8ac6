import { spawn } from 'node:child_process';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal';

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };
const NARROWEST = 40;

const question = async (text: string, isHidden: boolean): Promise<string> => {
  let isMuted = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    const answer = lines.question(text);
    isMuted = isHidden;
    return await answer;
  } finally {
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
};

const settingsFolderOf = ({ ACERVO_CONFIG_HOME, XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string =>
  ACERVO_CONFIG_HOME ?? join(XDG_CONFIG_HOME ?? APPDATA ?? join(homedir(), '.config'), 'acervo');

/** Resolves once the program of the desktop was started; it outlives this process. */
const openOnDesktop = (target: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(OPENERS[platform()] ?? 'xdg-open', [target], { detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });

/** The terminal of this process. */
export const nodeTerminal = (environment: NodeJS.ProcessEnv): Terminal => ({
  environment,
  settingsFolder: settingsFolderOf(environment),
  isInteractive: process.stdout.isTTY && process.stdin.isTTY,
  columns: process.stdout.isTTY ? Math.max(NARROWEST, process.stdout.columns) : Infinity,
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
  progress: (text) => void process.stderr.write(`\r\u001b[2K${text}`),
  askSecret: (text) => question(text, true),
  ask: (text) => question(text, false),
  readInput: async () => {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  },
  open: openOnDesktop,
  pause: (ms) => pause(ms),
});
