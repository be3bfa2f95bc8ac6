#!/usr/bin/env node
// Runs each service twice behind HAProxy, on real engines of this machine, and rolls services on demand.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { UsageError } from './lib/options.mjs';
import { build, install } from './lib/workspace.mjs';

const HELP = `Each service twice behind HAProxy, on the engines of a stack, with the environments of docker/compose.yaml.

  node tools/cluster.mjs [FOLDER] [--dir DIR]

FOLDER is opened to the first group, as /documents in the compose file. --dir names the directory of the engines (default:
.stack/cluster), whose data is removed at the end. Needs HAProxy and what npm run stack needs.

Commands on its input
  roll SERVICE    replaces the processes of a service one by one: a new one is ready before an old one stops
  roll all        the same for every service, one after the other
  status          how many processes of each service are ready, and how the replaced ones ended
  stop            stops everything (Ctrl-C too)
`;
const ADMINISTRATOR = 'admin@acervo.local';

const print = (text) => process.stdout.write(`${text}\n`);

const readArguments = () => {
  try {
    const options = { dir: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
    return parseArgs({ options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${error.message}. "node tools/cluster.mjs --help" lists all options.`);
  }
};

const shown = ({ service, code, signal, seconds }) =>
  `  ${service.padEnd(11)} ended with ${signal ?? code} after ${seconds.toFixed(1)} s`;

const commandsOf = (cluster, services) => ({
  status: async () => {
    for (const service of services) {
      const statuses = await Promise.all(cluster.replicasOf(service).map((replica) => replica.probe('/health/ready')));
      const ready = statuses.filter((status) => status === 200).length;
      print(`  ${service.padEnd(11)} ${ready} of ${statuses.length} processes are ready`);
    }
    for (const end of cluster.ends) print(shown(end));
  },
  roll: async (name) => {
    const named = name === 'all' ? services : services.filter((service) => service === name);
    if (named.length === 0) return print(`There is no service ${name ?? ''}; there are ${services.join(', ')}, all.`);
    for (const service of named) {
      const before = cluster.ends.length;
      await cluster.roll(service);
      for (const end of cluster.ends.slice(before)) print(shown(end));
    }
  },
});

/** Executes the commands of the input until `stop`, its end, or a signal. */
const attend = async (cluster, services) => {
  const commands = commandsOf(cluster, services);
  const lines = createInterface({ input: process.stdin });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => lines.close());
  for await (const line of lines) {
    const [command = '', argument] = line.trim().split(/\s+/);
    if (command === 'stop') break;
    if (command === '') continue;
    if (!(command in commands)) print(`There is no command ${command}; there are roll, status and stop.`);
    else await commands[command](argument).catch((error) => print(error.message));
  }
};

const run = async (folder, directory) => {
  (await import('./stack/find.mjs')).findHaproxy();
  const { Stack } = await import('./stack/stack.mjs');
  const stack = new Stack(directory);
  await stack.up({ wanted: ['postgres', 'kafka', 'opensearch', 'redis', 's3'], print, tied: true });
  process.env.ACERVO_STACK = stack.place.state;
  const { Cluster, SERVICES } = await import('@acervo/e2e/harness');
  const place = join(stack.place.path, 'cluster');
  mkdirSync(place, { recursive: true });
  const cluster = await Cluster.make(place, folder ?? place);
  try {
    for (const [program, argv] of [
      ['migrate', []],
      ['auth', ['--provision', ADMINISTRATOR]],
    ]) {
      const { code, output } = await cluster.run(program, argv);
      print(output.trim());
      if (code !== 0) throw new Error(`${program} ended with ${code}.`);
    }
    await cluster.start();
    print(`The cluster answers at http://127.0.0.1:${cluster.port}. Commands: roll SERVICE, roll all, status, stop.`);
    await attend(cluster, SERVICES);
  } finally {
    for (const end of await cluster.stop()) print(shown(end));
    await stack.down({ remove: true });
  }
};

try {
  const { values, positionals } = readArguments();
  if (values.help === true) process.stdout.write(HELP);
  else {
    await install();
    await build();
    await run(positionals[0] && resolve(positionals[0]), values.dir ?? join('.stack', 'cluster'));
  }
} catch (error) {
  process.stderr.write(
    `${error instanceof UsageError || error.constructor.name === 'Refused' ? error.message : error.stack}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
