import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import {
  AuditTrail,
  Calls,
  CallServer,
  CommitFailpoints,
  HttpTransport,
  KeyRegister,
  type LocalCalls,
  LocationSets,
  PeerConnections,
  ProofMint,
  PublishedKeys,
  RequestsDone,
  RoutedCalls,
  ScopeMint,
  ScopeVerifier,
  ServiceKeys,
  WriteContexts,
} from '@acervo/platform-calls';
import { BaseConfig, SERVICE_NAME } from '@acervo/platform-config';
import { Database } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { Logger, Metrics, Tracer } from '@acervo/platform-observability';
import { InboxOfRequests, OutboxAuditTrail } from './audit-trail';
import { endpointsFrom, peerKeys } from './peers';
import { LOCAL_CALLS } from './runtime.module';
import { DatabaseModule } from './database.module';
import { MessagingModule } from './messaging.module';
import { ObservabilityModule } from './observability.module';

/** Whether the service owns the folders that a scope names, and reads nothing below them. */
export const OWNS_LOCATIONS = Symbol('acervo:owns-locations');

/** Calls in both directions: sent to their owners, answered for peers, signed and verified. */
@Module({
  imports: [ObservabilityModule, DatabaseModule, MessagingModule],
  providers: [
    { provide: ServiceKeys, useFactory: () => ServiceKeys.generate() },
    {
      provide: KeyRegister,
      inject: [SERVICE_NAME, Database, ServiceKeys, Logger],
      useFactory: (service: ServiceName, database: Database, keys: ServiceKeys, logger: Logger) =>
        new KeyRegister(service, database, keys, logger),
    },
    {
      provide: PeerConnections,
      inject: [BaseConfig],
      useFactory: ({ internalCa: ca }: BaseConfig) => new PeerConnections({ ca }),
    },
    { provide: PublishedKeys, inject: [SERVICE_NAME, KeyRegister, BaseConfig, PeerConnections], useFactory: peerKeys },
    {
      provide: HttpTransport,
      inject: [SERVICE_NAME, ServiceKeys, BaseConfig, PeerConnections],
      useFactory: (
        service: ServiceName,
        keys: ServiceKeys,
        { internalUrl }: BaseConfig,
        connections: PeerConnections,
      ) => new HttpTransport(endpointsFrom(internalUrl), new ProofMint(service, keys), connections),
    },
    {
      provide: Calls,
      inject: [SERVICE_NAME, LOCAL_CALLS, HttpTransport, Metrics, Tracer],
      useFactory: (
        service: ServiceName,
        local: LocalCalls,
        transport: HttpTransport,
        metrics: Metrics,
        tracer: Tracer,
      ) => new RoutedCalls(service, local, transport, metrics, tracer),
    },
    ScopeMint,
    { provide: ScopeVerifier, inject: [PublishedKeys], useFactory: (peers: PublishedKeys) => new ScopeVerifier(peers) },
    { provide: LocationSets, inject: [Calls], useFactory: (calls: Calls) => new LocationSets(calls) },
    { provide: AuditTrail, useClass: OutboxAuditTrail },
    { provide: RequestsDone, useClass: InboxOfRequests },
    { provide: CommitFailpoints, useExisting: Failpoints },
    {
      provide: WriteContexts,
      inject: [Database, AuditTrail, RequestsDone, CommitFailpoints],
      useFactory: (database: Database, audit: AuditTrail, done: RequestsDone, failpoints: CommitFailpoints) =>
        new WriteContexts(database, audit, done, failpoints),
    },
    {
      provide: CallServer,
      inject: [SERVICE_NAME, WriteContexts, Tracer, LocationSets, OWNS_LOCATIONS],
      useFactory: (
        service: ServiceName,
        contexts: WriteContexts,
        tracer: Tracer,
        locations: LocationSets,
        ownsLocations: boolean,
      ) => new CallServer(service, contexts, tracer, ownsLocations ? undefined : locations),
    },
  ],
  exports: [AuditTrail, Calls, CallServer, KeyRegister, PublishedKeys, HttpTransport, ScopeMint, ScopeVerifier],
})
export class CallsModule implements OnApplicationShutdown {
  constructor(
    private readonly register: KeyRegister,
    private readonly transport: HttpTransport,
  ) {}

  onApplicationShutdown(): void {
    this.register.close();
    this.transport.close();
  }
}
