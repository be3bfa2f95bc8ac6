// The services on the engines of a stack: each a process of its own, behind one public port as behind an ingress.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readOptions, root } from '../lib/options.mjs';

/** Where the engines are; an embedder that the environment names is used instead of that of the stack. */
const variablesOf = (stack) => {
  const isEmbedder = (name) => name.startsWith('ACERVO_EMBEDDER');
  const own = Object.keys(process.env).some(isEmbedder);
  return Object.fromEntries(Object.entries(stack.state.variables).filter(([name]) => !(own && isEmbedder(name))));
};

/** Runs them until this process is told to stop; answers when they have ended. Engines that this started end as well. */
export const services = async (stack, { wanted, how, folder, port }, print) => {
  const asked = ['--data', join(stack.place.path, 'services'), '--port', port, '--processes', ...folder];
  const started = !stack.runs;
  if (started) await stack.up({ wanted, how, say: print, tied: true });
  const program = join(root, 'apps', 'standalone', 'dist', 'main.js');
  const child = spawn(process.execPath, [program, JSON.stringify(readOptions(asked))], {
    stdio: 'inherit',
    env: { ...process.env, ...variablesOf(stack) },
  });
  // The terminal sends Ctrl-C to both; what runs ends first and the engines after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ? 1 : code)));
  if (started) await stack.down();
};
