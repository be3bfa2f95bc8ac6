#!/usr/bin/env node
// Runs real engines on this machine, for trials of the services and for the suites that need them.
import { UsageError } from './lib/options.mjs';
import { build, install } from './lib/workspace.mjs';

const print = (text) => process.stdout.write(`${text}\n`);

const status = ({ state, runs, place }, lives) => {
  if (!runs) return print(`No stack runs in ${place.path}.`);
  print(`A stack runs in ${place.path}.`);
  for (const [name, recorded] of Object.entries(state.engines))
    print(`  ${name.padEnd(11)} ${recorded !== null && lives(recorded) ? `process ${recorded.pid}` : 'is down'}`);
  print('Addresses: npm run stack -- env');
};

const environment = ({ state, runs, place }, { Refused }) => {
  if (!runs) throw new Refused(`No stack runs in ${place.path}.`);
  for (const [name, value] of Object.entries(state.variables)) print(`export ${name}='${value}'`);
};

const execute = async (options) => {
  const place = await import('./stack/place.mjs');
  const { lives } = await import('./stack/state.mjs');
  const { Stack } = await import('./stack/stack.mjs');
  const stack = new Stack(options.directory);
  switch (options.command) {
    case 'up':
      await build();
      await stack.up({ wanted: options.wanted, how: options.how, print: print });
      return print('The stack is up. npm run stack -- status shows what runs, down stops it.');
    case 'down':
      return print((await stack.down({ remove: options.delete })) ? 'The stack is down.' : 'No stack was running.');
    case 'status':
      return status(stack, lives);
    case 'env':
      return environment(stack, place);
    case 'services':
      await build();
      return (await import('./stack/services.mjs')).services(stack, options, print);
    case 'test':
      await build();
      return (await import('./stack/test.mjs')).test(options, print);
    default:
      for (const name of options.named) {
        await stack.act(name, options.command);
        print(`${name}: ${options.command} is done.`);
      }
  }
};

try {
  await install();
  const { help, readOptions } = await import('./stack/options.mjs');
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(help());
  else await execute(options);
} catch (error) {
  process.stderr.write(
    `${error.stack === undefined || /Refused|UsageError/.test(error.constructor.name) ? error.message : error.stack}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
