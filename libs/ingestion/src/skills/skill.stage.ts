import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, RunsStage, Tasks, WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Cpu } from '../cpu/cpu';
import { RUN_SKILL } from '../kernel/stages';
import { digest, PipelineSettings } from '../reading/pipeline-settings';
import { DocumentSkillStore, type MadeResult, type SkillWork } from './document-skill.store';
import { FIND_STATEMENTS } from './find-statements';
import { ModelRuns } from './model/model-run';
import { DOCUMENTS_FIRST, type Unmade, unmadeBy } from './model/model-failures';
import { type SkillModel, SkillModels } from './model/skill-models';
import { type PipelineRun, PipelineRuns } from './pipeline-runs';
import { pipelineSkill } from './pipeline-skills';
import { knownSkill, type ProductSkill } from './product-skills';
import { DocumentSummaryStore } from './summaries/document-summary.store';

/** What a result is made of: the text, and either the extraction or a model with the layers of its prompt. */
export const keyOf = (
  { code, version }: Pick<ProductSkill, 'code' | 'version'>,
  { textObject, settingsHash }: Pick<SkillWork, 'textObject' | 'settingsHash'>,
  read: SkillModel | undefined,
): string => digest([code, version, textObject, settingsHash, ...(read ? [read.model, read.prompt.hash] : [])]);

/** Such a document gets its text or fails by itself, so the tries do not count. */
const AWAITS_TEXT: Unmade = { reason: 'DocumentAwaitsText', retryInMs: 30_000, counts: false };
const WITHOUT_TEXT: Unmade = { reason: 'DocumentWithoutText', retryInMs: null };

/** The work of the background has nothing to do: the group has no model. */
const NO_MODEL = Symbol('acervo:no-model');

type Outcome = MadeResult | Unmade | typeof NO_MODEL;

/** A run that a worker has begun. */
interface BegunRun {
  readonly lease: Lease;
  readonly work: SkillWork & { readonly textObject: string };
  readonly skill: ProductSkill;
  readonly stopping: AbortSignal;
}

/** Runs skills over documents. Documents of equal content share their text, and get the result that the group has for it. */
@Injectable()
export class SkillStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly store: DocumentSkillStore,
    private readonly objects: ObjectStore,
    private readonly cpu: Cpu,
    private readonly settings: PipelineSettings,
    private readonly models: SkillModels,
    private readonly modelRuns: ModelRuns,
    private readonly summaries: DocumentSummaryStore,
    private readonly signals: WorkSignals,
    private readonly failpoints: Failpoints,
    private readonly pipelineRuns: PipelineRuns,
  ) {}

  @RunsStage(RUN_SKILL)
  async run(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    for (const lease of leases) {
      const work = await this.store.work(scope, lease.subjectId);
      // Its document is deleted: nothing is left to do, and the deletion withdraws the task as well.
      if (work === undefined) await this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
      else await this.work(scope, { lease, work, stopping });
    }
  }

  private async work(scope: WorkScope, { lease, work, stopping }: Omit<PipelineRun, 'skill'>): Promise<void> {
    if (work.isBackground && (await this.signals.anyWaits(RUN_SKILL.name)))
      return this.finish(scope, lease, work, DOCUMENTS_FIRST);
    const skill = pipelineSkill(work.skillCode);
    if (skill === undefined) await this.finish(scope, lease, work, await this.outcomeOf(scope, lease, work, stopping));
    else await this.pipelineRuns.run(scope, { lease, work, skill, stopping });
  }

  /**
   * Ends a run with its outcome, and queues one that was requested meanwhile. Requests and deletions lock the run before
   * its task, too. A lost lease undoes what is saved.
   */
  private async finish(scope: WorkScope, lease: Lease, work: SkillWork, outcome: Outcome): Promise<void> {
    await this.database.write(scope, async (tx) => {
      await this.end(tx, lease, work, outcome);
      this.failpoints.hit('skill.before-commit');
    });
    this.failpoints.hit('skill.committed');
  }

  private async end(tx: Transaction, lease: Lease, work: SkillWork, outcome: Outcome): Promise<void> {
    const { store, tasks } = this;
    if (outcome !== NO_MODEL && 'result' in outcome) await this.summaries.replace(tx, work, outcome);
    const isLatest = await store.lockLatest(tx, work);
    if (outcome === NO_MODEL) {
      if (isLatest) await store.drop(tx, work);
      await tasks.complete(tx, lease);
    } else if ('reason' in outcome) {
      await tasks.fail(tx, lease, outcome);
    } else {
      await store.save(tx, work.workId, outcome);
      await tasks.complete(tx, lease);
    }
    if (!isLatest) await store.enqueueAgain(tx, work);
  }

  /** The result; without one, the reason and when the run is tried again. */
  private async outcomeOf(scope: WorkScope, lease: Lease, work: SkillWork, stopping: AbortSignal): Promise<Outcome> {
    const { textObject, awaitsText, skillCode } = work;
    if (awaitsText) return AWAITS_TEXT;
    if (textObject === null) return WITHOUT_TEXT;
    return this.made(scope, { lease, work: { ...work, textObject }, skill: knownSkill(skillCode), stopping });
  }

  private async made(scope: WorkScope, run: BegunRun): Promise<Outcome> {
    const { work, skill } = run;
    const { find, version } = skill;
    const chosen = await this.models.ofRun(scope.groupId, skill, work.entityCode);
    if ('reason' in chosen) return chosen;
    const read = 'why' in chosen ? undefined : chosen;
    if (find === undefined && 'why' in chosen) return { reason: chosen.why, retryInMs: null };
    if (work.isBackground && read === undefined) return NO_MODEL;
    const key = keyOf(skill, work, read);
    const [model, layers] = read === undefined ? [null, null] : [read.model, read.prompt.layers];
    const made = { textObject: work.textObject, version, key, model, layers };
    const earlier = await this.store.find(scope, key);
    if (earlier !== undefined) return { ...made, result: earlier };
    const text = await this.objects.get(scope, work.textObject);
    if (read === undefined) return { ...made, result: await this.extracted(work.skillCode, text) };
    try {
      const { lease, stopping } = run;
      const { isBackground } = work;
      const modelRun = { ...read, lease, key, text, stopping, isBackground };
      return { ...made, result: await this.modelRuns.result(scope, modelRun) };
    } catch (error) {
      return unmadeBy(error);
    }
  }

  private extracted(skillCode: string, text: Uint8Array): Promise<MadeResult['result']> {
    return this.cpu.run(FIND_STATEMENTS, { skillCode, text, languages: this.settings.chunks.languages });
  }
}
