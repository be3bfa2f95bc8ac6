import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ModelBacklog } from '../classification/model-backlog';
import { CHOOSES } from '../classification/model-findings';
import { Reclassification } from '../reclassification/reclassification';
import { type ClassifiableRow, StaleDocumentsStore } from '../reclassification/stale-documents.store';
import { DocumentSkillStore } from '../skills/document-skill.store';
import type { Unmade } from '../skills/model/model-failures';
import { type PipelineRun, type PipelineRunner, PipelineRuns } from '../skills/pipeline-runs';
import { type MadeFindings, ModelAnswers } from './model-answers';
import { ModelQuestions } from './model-questions';

/**
 * Adds what a model finds to the classification of a document: a type among those that rules and similarity leave, then
 * features that rules do not find.
 */
@Injectable()
export class ModelClassification implements PipelineRunner {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly skills: DocumentSkillStore,
    private readonly stale: StaleDocumentsStore,
    private readonly questions: ModelQuestions,
    private readonly answers: ModelAnswers,
    private readonly reclassification: Reclassification,
    private readonly backlog: ModelBacklog,
    runs: PipelineRuns,
  ) {
    runs.register(this);
  }

  async run(scope: WorkScope, run: PipelineRun): Promise<void> {
    const { work, skill } = run;
    const row = await this.database.read(scope, (tx) => this.stale.one(tx, work.documentId));
    // A document that is read again is handed over again, and a run follows.
    const isReady = row !== undefined && !work.awaitsText && work.textObject === row.textObject;
    const question = isReady ? await this.questions.of(scope, skill, row) : undefined;
    if (!isReady || question === undefined) return this.drop(scope, run);
    const made = await this.answers.of(scope, run, row, question);
    if (made === undefined) return this.drop(scope, run);
    return 'reason' in made ? this.fail(scope, run, made) : this.apply(scope, run, row, made);
  }

  /** Nothing is left to ask, or the group has no model. */
  private drop(scope: WorkScope, run: PipelineRun): Promise<void> {
    return this.end(scope, run, async (tx, isLatest) => {
      if (isLatest) await this.skills.drop(tx, run.work);
      await this.tasks.complete(tx, run.lease);
    });
  }

  private fail(scope: WorkScope, run: PipelineRun, unmade: Unmade): Promise<void> {
    return this.end(scope, run, async (tx) => {
      // A type that no model chooses leaves the features of the one that the document has.
      if (unmade.retryInMs === null) await this.follow(tx, run);
      await this.tasks.fail(tx, run.lease, unmade);
    });
  }

  /** Stores what was found, classifies the document with it, and publishes what changed, in one transaction. */
  private async apply(scope: WorkScope, run: PipelineRun, row: ClassifiableRow, made: MadeFindings): Promise<void> {
    const { work, skill, lease } = run;
    const found = { ...row.found, [skill.code]: made.result.findings };
    const classified = await this.reclassification.of(scope, { ...row, found }, row.version ?? 0);
    await this.end(
      scope,
      run,
      async (tx) => {
        await this.skills.save(tx, work.workId, made);
        await this.follow(tx, run);
        await this.tasks.complete(tx, lease);
      },
      // Documents are locked before their runs, as requests and deletions do.
      async (tx) => {
        if (classified !== undefined) await this.reclassification.keep(tx, [classified]);
      },
    );
  }

  /** The features of a document follow the choice of its type. */
  private async follow(tx: Transaction, { skill, work }: PipelineRun): Promise<void> {
    if (skill.code === CHOOSES) await this.backlog.enqueueFeatures(tx, work.documentId);
  }

  /** Ends a run, and queues it again where it was requested meanwhile. A lost lease undoes what was stored. */
  private end(
    scope: WorkScope,
    { work }: PipelineRun,
    last: (tx: Transaction, isLatest: boolean) => Promise<void>,
    first?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    return this.database.write(scope, async (tx) => {
      await first?.(tx);
      const isLatest = await this.skills.lockLatest(tx, work);
      await last(tx, isLatest);
      if (!isLatest) await this.skills.enqueueAgain(tx, work);
    });
  }
}
