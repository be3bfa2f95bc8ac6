import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import type { Stage } from '@acervo/platform-queue';
import { PipelineOrder } from '../pipeline-order';
import { ResultStore } from '../../document-state/result.store';
import { PipelineSettings, stepKeys } from '../../reading/pipeline-settings';
import { type DocumentPatch, filled, type WorkingDocument } from '../../document-state/working-document.store';
import type { StepOutput } from './step';

/** A result of a step: its key follows from the bytes and the settings only. */
export interface StepResult<P extends DocumentPatch> {
  readonly stage: Stage;
  make(key: string): Promise<P>;
}

/** Results of steps, made once for all documents with equal bytes and settings. */
@Injectable()
export class StepResults {
  constructor(
    private readonly results: ResultStore,
    private readonly settings: PipelineSettings,
    private readonly order: PipelineOrder,
  ) {}

  /** Looks up what the steps made of these bytes before: they follow at once. */
  expect(scope: TenantScope, name: string, contentHash: string): void {
    const keys = stepKeys(this.settings, name, contentHash);
    this.results.expect(
      scope,
      this.order.remembered.map(({ key, stage }) => ({ stage, key: keys[key], contentHash })),
    );
  }

  async reuse<P extends DocumentPatch>(
    scope: TenantScope,
    document: WorkingDocument,
    { stage, make }: StepResult<P>,
  ): Promise<StepOutput & { readonly patch: P }> {
    const contentHash = filled(document.contentHash);
    const key = this.order.rowOf(stage)?.resultKey ?? null;
    if (key === null) throw new Error(`pipeline-table.ts names no result key for ${stage.name}.`);
    const { [key]: name } = stepKeys(this.settings, document.name, contentHash);
    const id = { stage: stage.name, key: name, contentHash };
    const { value, objects, used } = await this.results.reuse(scope, id, () => make(name));
    return { patch: value, objects, used };
  }
}
