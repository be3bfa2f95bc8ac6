// Runs the services on the engines of a stack: each in its own process, behind one public port as behind an ingress.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readOptions, root } from '../lib/options.mjs';

/** Addresses of the engines; an embedder of the environment replaces that of the stack. */
const variablesOf = (stack) => {
  const isEmbedder = (name) => name.startsWith('ACERVO_EMBEDDER');
  const hasEmbedder = Object.keys(process.env).some(isEmbedder);
  return Object.fromEntries(
    Object.entries(stack.state.variables).filter(([name]) => !(hasEmbedder && isEmbedder(name))),
  );
};

/** Runs the services until a signal; resolves when they have ended. Engines that this call started end, too. */
export const services = async (stack, { wanted, how, folder, port }, print) => {
  const asked = ['--data', join(stack.place.path, 'services'), '--port', port, '--processes', ...folder];
  const started = !stack.runs;
  if (started) await stack.up({ wanted, how, print: print, tied: true });
  const program = join(root, 'apps', 'standalone', 'dist', 'main.js');
  const child = spawn(process.execPath, [program, JSON.stringify(readOptions(asked))], {
    stdio: 'inherit',
    env: { ...process.env, ...variablesOf(stack) },
  });
  // The terminal sends Ctrl-C to both; the services end before the engines.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ? 1 : code)));
  if (started) await stack.down();
};
