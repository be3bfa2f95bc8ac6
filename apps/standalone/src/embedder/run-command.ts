import { spawn } from 'node:child_process';

/** The embedder cannot be installed; the message is the reason, written for users. */
export class CannotInstall extends Error {}

const LONGEST_MS = 600_000;
const TAIL = 2_000;

/**
 * Runs a command to its end.
 * @param reasonIn finds the reason of a failure in the last output
 * @param hear called with each printed line
 * @throws CannotInstall
 */
export const runCommand = (
  command: string,
  args: readonly string[],
  reasonIn: (printed: string) => string,
  hear: (line: string) => void = () => undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = { timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const;
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        printed = (printed + data.toString()).slice(-TAIL);
        data.toString().trim().split('\n').forEach(hear);
      });
    child.on('error', () => reject(new CannotInstall(`${command} cannot be run`)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new CannotInstall(reasonIn(printed)))));
  });
