import type { DestinationStream } from 'pino';
import { type LocalCalls, RoutedCalls } from '@acervo/platform-calls';
import { Metrics } from '@acervo/platform-observability';
import { assemble, type Assembly, dissolve } from './assembly';
import type { ServiceDefinition } from './definition';
import { assertSchema } from './schema-version';
import type { ServiceConfig } from './service-config';
import type { Asked } from './wish-arguments';
import type { Say, WishParts } from './wishes';

/** What is said goes to the output of the program, so that lines of the log go elsewhere. */
const beside: DestinationStream = { write: (line) => void process.stderr.write(line) };

/** What an operator asks with: the service itself in this process, others as the service that they know. */
const callsOf = <C extends ServiceConfig>({ kit, identity }: Assembly<C>, local: LocalCalls): RoutedCalls => {
  const { register, transport } = identity;
  let published: Promise<void> | undefined;
  const remote: ConstructorParameters<typeof RoutedCalls>[2] = {
    send: async (outgoing) => {
      // A process that runs tells peers the key that this one signs with.
      await (published ??= register.open());
      return transport.send(outgoing);
    },
  };
  return new RoutedCalls('operator', local, remote, new Metrics('operator'), kit.tracer);
};

/**
 * Carries out what was asked of the program of a service, one after the other, with the objects of the service and
 * without anything that listens or works. @throws what the first wish that fails does
 */
export const carryOut = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  { wishes, group }: Pick<Asked<C>, 'wishes' | 'group'>,
  say: Say,
): Promise<void> => {
  const local: LocalCalls = new Map();
  const assembly = await assemble(definition, environment, { local, logDestination: beside });
  try {
    await assertSchema(definition, assembly.kit.engines.database);
    local.set(definition.name, assembly.server);
    const { config, engines } = assembly.kit;
    const shared = { service: definition.name, config, database: engines.courier, group, say };
    const calls = callsOf(assembly, local);
    for (const { wish, value } of wishes) {
      const parts: WishParts<C> = { ...shared, calls, cause: wish.name, value };
      await wish.carryOut(parts);
    }
  } finally {
    await dissolve(assembly);
  }
};
