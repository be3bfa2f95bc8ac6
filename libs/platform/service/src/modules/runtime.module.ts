import { type DynamicModule, Module } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import type { LocalCalls } from '@acervo/platform-calls';
import { ENVIRONMENT, type Environment } from '@acervo/platform-config';
import { standardOutput } from '@acervo/platform-observability';

/** The services that share the process of an application. */
export const LOCAL_CALLS = Symbol('acervo:local-calls');
export const LOG_DESTINATION = Symbol('acervo:log-destination');

/** What the process passes to an application that it creates. */
export interface Runtime {
  readonly environment: Environment;
  /** The services that share this process; absent in a process of one service. */
  readonly local?: LocalCalls | undefined;
  /** Destination of log lines; by default the output of the process. */
  readonly logDestination?: DestinationStream | undefined;
}

/** Provides an application with what its process passes to it; an application reads nothing from the process itself. */
@Module({})
export class RuntimeModule {
  static forProcess({ environment, local = new Map(), logDestination }: Runtime): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      providers: [
        { provide: ENVIRONMENT, useValue: environment },
        { provide: LOCAL_CALLS, useValue: local },
        { provide: LOG_DESTINATION, useValue: logDestination ?? standardOutput() },
      ],
      exports: [ENVIRONMENT, LOCAL_CALLS, LOG_DESTINATION],
    };
  }
}
