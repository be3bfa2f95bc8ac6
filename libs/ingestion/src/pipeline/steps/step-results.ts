import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import type { Stage } from '@acervo/platform-queue';
import { ResultStore } from '../result.store';
import { PipelineSettings, type StepKeys, stepKeys } from '../settings';
import { CHUNK, EXTRACT, SUMMARISE } from '../stages';
import { type DocumentPatch, filled, type WorkingDocument } from '../working-document.store';
import type { Done } from './step';

/** A result of a step: its key follows from the bytes and the settings only. */
export interface StepResult<P extends DocumentPatch> {
  readonly stage: Stage;
  readonly key: keyof StepKeys;
  make(key: string): Promise<P>;
}

/** The steps whose results follow from the bytes and the settings, in order. */
const REMEMBERED: readonly { readonly key: keyof StepKeys; readonly stage: Stage }[] = [
  { key: 'extract', stage: EXTRACT },
  { key: 'summarise', stage: SUMMARISE },
  { key: 'chunk', stage: CHUNK },
];

/** Results of steps, made once for all documents with equal bytes and settings. */
@Injectable()
export class StepResults {
  constructor(
    private readonly results: ResultStore,
    private readonly settings: PipelineSettings,
  ) {}

  /** Looks up what the steps made of these bytes before: they follow at once. */
  expect(scope: TenantScope, name: string, contentHash: string): void {
    const keys = stepKeys(this.settings, name, contentHash);
    this.results.expect(
      scope,
      REMEMBERED.map(({ key, stage }) => ({ stage: stage.name, key: keys[key], contentHash })),
    );
  }

  async reuse<P extends DocumentPatch>(
    scope: TenantScope,
    document: WorkingDocument,
    { stage, key, make }: StepResult<P>,
  ): Promise<Done & { readonly patch: P }> {
    const contentHash = filled(document.contentHash);
    const { [key]: name } = stepKeys(this.settings, document.name, contentHash);
    const id = { stage: stage.name, key: name, contentHash };
    const { value, objects, used } = await this.results.reuse(scope, id, () => make(name));
    return { patch: value, objects, used };
  }
}
