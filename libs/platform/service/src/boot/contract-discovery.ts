import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ServiceName } from '@acervo/contracts';
import { CallServer } from '@acervo/platform-calls';
import { SERVICE_NAME } from '@acervo/platform-config';
import { subscriptionsOf } from '@acervo/platform-messaging';
import { type BoundStage, stagesOf } from '@acervo/platform-queue';
import { CONNECTION_NEEDS, type ConnectionNeeds } from '../settings/connection-budget';
import { EventDelivery } from '../modules/event-delivery';
import { StageWorkers } from '../modules/stage-workers';

/** Finds `@Handles`, `@On` and `@RunsStage` among the providers of an application and binds them. */
@Injectable()
export class ContractDiscovery {
  constructor(
    @Inject(SERVICE_NAME) private readonly service: ServiceName,
    private readonly discovery: DiscoveryService,
    private readonly server: CallServer,
    private readonly delivery: EventDelivery,
    private readonly workers: StageWorkers,
    @Inject(CONNECTION_NEEDS) private readonly needs: ConnectionNeeds,
  ) {}

  /**
   * @throws when a call or an event of the service has no handler or two, a stage two, or stages no connections; the
   * message names what to add
   */
  bind(): void {
    const providers = this.providers();
    this.server.register(providers);
    this.delivery.subscribe(subscriptionsOf(this.service, providers));
    this.workers.bind(this.stagesOf(providers));
    this.delivery.onHandled(() => this.workers.continueAfterEvents());
  }

  private stagesOf(providers: readonly object[]): readonly BoundStage[] {
    const stages = stagesOf(providers);
    if (stages.length > 0 && this.needs.stages !== true)
      throw new Error(`${this.service} works stages: its definition needs \`connections: { stages: true }\`.`);
    return stages;
  }

  /** Every provider instance of the application once, also where several tokens resolve to it. */
  private providers(): readonly object[] {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return [...new Set(instances)].filter(
      (instance): instance is object =>
        typeof instance === 'object' && instance !== null && Object.getPrototypeOf(instance) !== null,
    );
  }
}
