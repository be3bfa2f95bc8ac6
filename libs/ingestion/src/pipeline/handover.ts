import { Injectable } from '@nestjs/common';
import type { Lease } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Pipeline } from './pipeline';
import { HAND_OVER } from '../kernel/stages';

/** Hands documents over to retrieval as soon as they have chunks: they are found by their words, and vectors follow. */
@Injectable()
export class Handover {
  constructor(private readonly pipeline: Pipeline) {}

  handOver(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.pipeline.end(
      scope,
      HAND_OVER,
      leases.map((lease) => ({ lease, nextStage: 'hand-over' })),
    );
  }
}
