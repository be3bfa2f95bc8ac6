import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DestinationStream } from 'pino';
import { CallServer, HttpTransport, KeyRegister, type LocalCalls, RoutedCalls } from '@acervo/platform-calls';
import type { Environment } from '@acervo/platform-config';
import { EventsDatabase } from '@acervo/platform-database';
import { Metrics, Tracer } from '@acervo/platform-observability';
import { applicationOf, type ServiceProgram } from './boot';
import { ContractDiscovery } from './contract-discovery';
import { StartupChecks } from './startup-checks';
import type { ParsedArguments, RequestedCommand } from '../admin-commands/command-arguments';
import { OperatorGroups } from '../admin-commands/command-groups';
import { AdminCommandFailed, type AdminCommandContext, orNothing, type Print } from '../admin-commands/admin-commands';

/** Admin commands print to the output of the program, so log lines go to its error output. */
const beside: DestinationStream = { write: (line) => void process.stderr.write(line) };

/**
 * Calls for an operator: to the service in this process directly, to other services over the network and signed as this
 * service.
 */
const callsOf = (context: INestApplicationContext, local: LocalCalls): RoutedCalls => {
  const [register, transport] = [context.get(KeyRegister), context.get(HttpTransport)];
  let published: Promise<void> | undefined;
  const remote: ConstructorParameters<typeof RoutedCalls>[2] = {
    send: async (outgoing) => {
      // A running process publishes this key to peers together with its own.
      await (published ??= register.open());
      return transport.send(outgoing);
    },
  };
  return new RoutedCalls('operator', local, remote, new Metrics('operator'), context.get<Tracer>(Tracer));
};

/** Executes one admin command. @throws AdminCommandFailed */
const executeOne = async (
  { command, value }: RequestedCommand,
  group: string | null,
  shared: Omit<AdminCommandContext, 'cause' | 'value' | 'groups'>,
): Promise<void> => {
  const { calls } = shared;
  const cause = command.name;
  const isDone = await orNothing(command, shared.print, async (print) => {
    const groups = new OperatorGroups({ calls, cause, group, print });
    return (await command.execute({ ...shared, cause, value, groups, print })) !== false;
  });
  if (!isDone) throw new AdminCommandFailed(`--${cause} failed; see above.`);
};

/**
 * Executes the admin commands of a command line in order. Uses the objects of the service, without listeners or
 * workers.
 * @throws the error of the first admin command that fails
 */
export const execute = async (
  { service, module }: ServiceProgram,
  environment: Environment,
  { commands, group }: Pick<ParsedArguments, 'commands' | 'group'>,
  print: Print,
): Promise<void> => {
  const local: LocalCalls = new Map();
  const root = applicationOf(module, { environment, local, logDestination: beside });
  const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    context.get(ContractDiscovery).bind();
    await context.get(StartupChecks).assertSchema();
    local.set(service.name, context.get(CallServer));
    const config: AdminCommandContext['config'] = (type) => context.get(type);
    const database = context.get(EventsDatabase);
    const shared = { service: service.name, config, database, calls: callsOf(context, local), print };
    for (const requested of commands) await executeOne(requested, group, shared);
  } finally {
    await context.close();
  }
};
