#!/usr/bin/env node
import { nodeTerminal, runCommand } from '@acervo/cli';
import { version } from '../package.json';

void runCommand(process.argv.slice(2), nodeTerminal(process.env), version).then((code) => {
  process.exitCode = code;
});
