import type { Type } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import type { Calls, ScopeMint, ScopeVerifier } from '@acervo/platform-calls';
import type { MigrationClass } from '@acervo/platform-database';
import type { Authenticator, ReadinessCheck } from '@acervo/platform-http';
import type { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import type { EnginesOf } from './engines';
import type { ServiceConfig } from './service-config';
import type { Wish } from './wishes';

/** What the objects of a service are made from. */
export interface ServiceKit<C extends ServiceConfig = ServiceConfig> {
  readonly config: Readonly<C>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly calls: Calls;
  /** Absent in a service without a schema. */
  readonly engines: EnginesOf<C>;
  /** Signs scopes with the keys of this service; peers accept those of auth only. */
  readonly scopeMint: ScopeMint;
  readonly scopeVerifier: ScopeVerifier;
}

/** The objects of a service: whatever carries `@Handles`, `@On` or `@RunsStage`, and what controllers inject. */
export interface Composition {
  readonly providers: readonly object[];
  readonly controllers?: readonly Type[];
  /** Who turns a bearer into a scope; needed by a service with routes. */
  readonly authenticator?: Authenticator;
  /** What the service serves from beside the engines of every service. */
  readonly checks?: readonly ReadinessCheck[];
  /** Ends pieces of work that may take long, before the work as a whole is stopped: they are tried again later. */
  interrupt?(): Promise<void>;
  /** Frees what the providers hold, after the last piece of work. */
  close?(): Promise<void>;
}

/** One service, as both its own program and the one-machine program start it. */
export interface ServiceDefinition<C extends ServiceConfig = ServiceConfig> {
  readonly name: ServiceName;
  readonly config: new () => C;
  /** Migrations of its own tables, in order; absent in a service that owns no data. */
  readonly migrations?: readonly MigrationClass[];
  /** Tables that belong to no group, beside those of messaging. */
  readonly sharedTables?: readonly string[];
  /** Serves `/openapi.json` and `/docs` of its routes. */
  readonly documented?: boolean;
  /** What its operator may ask of its program, beside what every service carries out. */
  readonly wishes?: readonly Wish<NoInfer<C>>[];
  compose(kit: ServiceKit<C>): Composition;
}

export const defineService = <C extends ServiceConfig>(definition: ServiceDefinition<C>): ServiceDefinition<C> =>
  definition;
