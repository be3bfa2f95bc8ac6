import { Injectable } from '@nestjs/common';
import { isConnectionLost } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import type { Lease, Stage } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { DocumentRefused } from '../files/refusal';
import type { Made, Outcome } from './outcome';
import { HAND_OVER } from './stages';
import { PipelineSteps } from './steps/pipeline-steps';
import type { Done, Step } from './steps/step';
import type { DocumentPatch, WorkingDocument } from './working-document.store';

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

/** The outputs of the steps so far, as one. */
class Passage {
  readonly done: Done[] = [];
  document: WorkingDocument;
  private beganAt = performance.now();

  constructor(
    private readonly leased: LeasedDocument,
    private last: Step,
    private readonly from = last.from,
  ) {
    this.document = leased.document;
  }

  /** Milliseconds of its steps so far; a step of a stage with slots of its own may take as long as it takes. */
  get spentMs(): number {
    return performance.now() - this.beganAt;
  }

  add(step: Step, done: Done): void {
    this.last = step;
    this.done.push(done);
    this.document = { ...this.document, ...done.patch, status: step.to };
    if (this.done.length === 1 && step.stage.capacity === 'long') this.beganAt = performance.now();
  }

  get made(): Made {
    const { done, from, last, leased } = this;
    const patch = done.reduce<DocumentPatch>((all, each) => ({ ...all, ...each.patch }), {});
    return { document: leased.document, from, to: last.to, patch, done };
  }

  endedWith(then: Outcome['then']): Outcome {
    return { lease: this.leased.lease, made: this.made, then };
  }
}

/** A step behind the first one refused the document; what the steps before it made is committed with the refusal. */
export class RefusedLater extends Error {
  constructor(
    readonly refused: DocumentRefused,
    readonly made: Made,
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
    private readonly limit: FusionLimit,
    private readonly failpoints: Failpoints,
  ) {}

  /** @throws RefusedLater, DocumentRefused of the first step, and its transient errors */
  async run(scope: WorkScope, first: Step, leased: LeasedDocument): Promise<Outcome> {
    const passage = new Passage(leased, first);
    passage.add(first, await first.work(scope, leased.document, leased.progress));
    this.failpoints.hit('pipeline.step');
    let { next } = first;
    for (let step = this.following(next, passage, leased); step !== undefined;) {
      const done = await this.tryStep(scope, step, passage, leased.progress);
      if (done === undefined) return passage.endedWith(next);
      passage.add(step, done);
      this.failpoints.hit('pipeline.step');
      ({ next } = step);
      step = this.following(next, passage, leased);
    }
    return passage.endedWith(next.name === HAND_OVER.name ? 'hand-over' : next);
  }

  /** The next step, if it may follow within the lease. */
  private following(next: Stage, { document, spentMs }: Passage, { stopping }: LeasedDocument): Step | undefined {
    const step = this.steps.of(next);
    const mayFollow = !stopping.aborted && spentMs < this.limit.spentMs;
    return mayFollow && step?.isCheap(document) === true ? step : undefined;
  }

  /**
   * A step that fails is left to its own stage, with its own tries, after the commit of the steps before it.
   * @throws RefusedLater
   */
  private async tryStep(
    scope: WorkScope,
    step: Step,
    passage: Passage,
    progress: () => void,
  ): Promise<Done | undefined> {
    try {
      return await step.work(scope, passage.document, progress);
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      if (error instanceof DocumentRefused) throw new RefusedLater(error, passage.made);
      return undefined;
    }
  }
}
