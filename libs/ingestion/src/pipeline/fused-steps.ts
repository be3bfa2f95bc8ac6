import { Injectable } from '@nestjs/common';
import { DocumentRefused } from '@acervo/files';
import { isConnectionLost } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { ObjectStore } from '@acervo/platform-object-store';
import type { Lease, Stage } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { CorpusPages } from '../corpus/corpus-pages';
import type { DocumentOutput, Outcome } from './outcome';
import { HAND_OVER } from '../kernel/stages';
import { isCheapFor, type PipelineStep, PipelineSteps } from './steps/pipeline-steps';
import type { StepContext, StepOutput } from './steps/step';
import { columnsOf, type DocumentPatch, filled, type WorkingDocument } from '../document-state/working-document.store';

/** The lease of one document, and its batch as its steps see it. */
export interface LeasedDocument {
  readonly lease: Lease;
  readonly document: WorkingDocument;
  readonly progress: () => void;
  readonly stopping: AbortSignal;
}

/**
 * How long the work on a document may have taken for its next step to follow within the same lease; its waiting for the
 * other documents of the batch counts.
 */
export class FusionLimit {
  constructor(readonly spentMs = 3_000) {}
}

const assertNamed = ({ row }: PipelineStep, patch: DocumentPatch): void => {
  const named = new Set<string>([...row.columns, ...(row.keptColumns ?? [])]);
  const unnamed = columnsOf(patch).filter((column) => !named.has(column));
  if (unnamed.length > 0)
    throw new Error(`The step of ${row.stage.name} writes ${unnamed.join(', ')}: name them in pipeline-table.ts.`);
};

/** The steps of one lease so far: their outputs as one, and the text that they share. */
class StepChain {
  document: WorkingDocument;
  private readonly outputs: StepOutput[] = [];
  private beganAt = performance.now();
  private text: Promise<Uint8Array> | undefined;

  constructor(
    private readonly leased: LeasedDocument,
    private last: PipelineStep,
    private readonly load: (textObject: string) => Promise<Uint8Array>,
    private readonly from = last.row.from,
  ) {
    this.document = leased.document;
  }

  /** Milliseconds of its steps so far; a step of a stage with slots of its own may take as long as it takes. */
  get spentMs(): number {
    return performance.now() - this.beganAt;
  }

  get context(): StepContext {
    return {
      progress: this.leased.progress,
      text: () => (this.text ??= this.load(filled(this.document.textObject))),
    };
  }

  /** @throws where the step wrote a column that its row does not name */
  add(step: PipelineStep, output: StepOutput): void {
    assertNamed(step, output.patch);
    this.last = step;
    this.outputs.push(output);
    this.document = { ...this.document, ...output.patch, status: step.row.to };
    if (output.text !== undefined) this.text = Promise.resolve(output.text);
    if (this.outputs.length === 1 && step.row.stage.capacity === 'long') this.beganAt = performance.now();
  }

  get output(): DocumentOutput {
    const { outputs, from, last, leased } = this;
    const patch = outputs.reduce<DocumentPatch>((all, each) => ({ ...all, ...each.patch }), {});
    return { document: leased.document, from, to: last.row.to, patch, outputs };
  }

  endedWith(nextStage: Outcome['nextStage']): Outcome {
    return { lease: this.leased.lease, output: this.output, nextStage };
  }

  /** What the steps so far made, none of them so far or some; the document waits before the next stage. */
  suspendedBefore(nextStage: Stage): Outcome {
    if (this.outputs.length > 0) return { ...this.endedWith(nextStage), isSuspended: true };
    return { lease: this.leased.lease, nextStage, isSuspended: true };
  }
}

/** A step behind the first one refused the document; what the steps before it made is committed with the refusal. */
export class RefusedLater extends Error {
  constructor(
    readonly refused: DocumentRefused,
    readonly output: DocumentOutput,
  ) {
    super(refused.message);
    this.name = 'RefusedLater';
  }
}

/**
 * Takes a document through a step, and through the cheap steps behind it, outside any transaction. What they made is one
 * outcome: a killed worker repeats the cheap steps of its documents.
 */
@Injectable()
export class FusedSteps {
  constructor(
    private readonly steps: PipelineSteps,
    private readonly objects: ObjectStore,
    private readonly limit: FusionLimit,
    private readonly pages: CorpusPages,
    private readonly failpoints: Failpoints,
  ) {}

  /** @throws RefusedLater, DocumentRefused of the first step, and its transient errors */
  async run(scope: WorkScope, first: PipelineStep, leased: LeasedDocument): Promise<Outcome> {
    const chain = new StepChain(leased, first, (textObject) => this.objects.get(scope, textObject));
    if (!(await this.mayBegin(scope, first, leased.document))) return chain.suspendedBefore(first.row.stage);
    chain.add(first, await first.step.work(scope, leased.document, chain.context));
    this.failpoints.hit('pipeline.step');
    let next = this.steps.after(first);
    for (let step = this.following(next, chain, leased); step !== undefined;) {
      const output = await this.tryStep(scope, step, chain);
      if (output === undefined) return chain.endedWith(next);
      if (output === 'suspended') return chain.suspendedBefore(next);
      chain.add(step, output);
      this.failpoints.hit('pipeline.step');
      next = this.steps.after(step);
      step = this.following(next, chain, leased);
    }
    return chain.endedWith(next.name === HAND_OVER.name ? 'hand-over' : next);
  }

  /** The next step, if it may follow within the lease. */
  private following(next: Stage, { document, spentMs }: StepChain, { stopping }: LeasedDocument) {
    const step = this.steps.of(next);
    const mayFollow = step !== undefined && !stopping.aborted && spentMs < this.limit.spentMs;
    return mayFollow && isCheapFor(step, document) ? step : undefined;
  }

  /** Whether the plan includes the pages of the document, where the step takes them. */
  private async mayBegin(scope: WorkScope, { row }: PipelineStep, document: WorkingDocument): Promise<boolean> {
    return row.takesPages !== true || !document.awaitsPages || (await this.pages.take(scope, document));
  }

  /**
   * A step that fails is left to its own stage, with its own tries, after the commit of the steps before it.
   * @throws RefusedLater
   */
  private async tryStep(
    scope: WorkScope,
    step: PipelineStep,
    chain: StepChain,
  ): Promise<StepOutput | 'suspended' | undefined> {
    try {
      if (!(await this.mayBegin(scope, step, chain.document))) return 'suspended';
      return await step.step.work(scope, chain.document, chain.context);
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      if (error instanceof DocumentRefused) throw new RefusedLater(error, chain.output);
      return undefined;
    }
  }
}
