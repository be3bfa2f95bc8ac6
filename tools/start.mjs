#!/usr/bin/env node
// Starts Acervo from a checkout: needs Node and npm only, and no installed packages.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { help, readOptions, root, UsageError } from './lib/options.mjs';
import { build, install, PROGRAM } from './lib/workspace.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);

const serve = (options) => {
  const main = join(root, 'apps', 'standalone', 'dist', 'main.js');
  const child = spawn(process.execPath, [main, JSON.stringify(options)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; the child stops its services, and this process exits with its code.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  child.on('close', (code, signal) => process.exit(signal === null ? code : 1));
};

try {
  if (major < 20 || (major === 20 && minor < 19))
    throw new UsageError(`Acervo needs Node 20.19 or newer; this is ${process.versions.node}.`);
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(help());
  else {
    await install();
    await build(PROGRAM);
    serve(options);
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
