import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Cpu } from '../cpu/cpu';
import { RUN_SKILL } from '../kernel/stages';
import { digest, PipelineSettings } from '../reading/pipeline-settings';
import { DocumentSkillStore, type MadeResult, type SkillWork } from './document-skill.store';
import { FIND_STATEMENTS } from './find-statements';
import { type ProductSkill, productSkill } from './product-skills';

/** What a result is made of. It grows by the layers of a prompt and the model where a skill has them. */
const keyOf = ({ code, version }: ProductSkill, { textObject, settingsHash }: SkillWork): string =>
  digest([code, version, textObject, settingsHash]);

/** Why a run has no result, as the queue shows it. */
type Unmade = Parameters<Tasks['fail']>[2];

/** Such a document gets its text or fails by itself, so the tries do not count. */
const AWAITS_TEXT: Unmade = { reason: 'DocumentAwaitsText', retryInMs: 30_000, counts: false };
const WITHOUT_TEXT: Unmade = { reason: 'DocumentWithoutText', retryInMs: null };

/** Another release queued its run. */
export class UnknownSkill extends Error {
  constructor() {
    super('The skill is not one of this version of the product; finish its update.');
    this.name = 'UnknownSkill';
  }
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
  ) {}

  @RunsStage(RUN_SKILL)
  async run(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      const work = await this.store.work(scope, lease.subjectId);
      // Its document is deleted: nothing is left to do, and the deletion withdraws the task as well.
      if (work === undefined) await this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
      else await this.finish(scope, lease, work, await this.outcomeOf(scope, work));
    }
  }

  /**
   * Ends a run with its outcome, and queues one that was requested meanwhile. Requests and deletions lock the run before
   * its task, too. A lost lease undoes what is saved.
   */
  private finish(scope: WorkScope, lease: Lease, work: SkillWork, outcome: MadeResult | Unmade): Promise<void> {
    const { store, tasks } = this;
    return this.database.write(scope, async (tx) => {
      const isLatest = await store.lockLatest(tx, work);
      if ('reason' in outcome) {
        await tasks.fail(tx, lease, outcome);
      } else {
        await store.save(tx, work.workId, outcome);
        await tasks.complete(tx, lease);
      }
      if (!isLatest) await store.enqueue(tx, [work.workId]);
    });
  }

  /** The result; without one, the reason and when the run is tried again. */
  private async outcomeOf(scope: WorkScope, work: SkillWork): Promise<MadeResult | Unmade> {
    const { textObject, awaitsText, skillCode } = work;
    if (awaitsText) return AWAITS_TEXT;
    if (textObject === null) return WITHOUT_TEXT;
    const skill = productSkill(skillCode);
    // A process of another release may know it: the try counts, and the next one comes later.
    if (skill === undefined) throw new UnknownSkill();
    const key = keyOf(skill, work);
    const { languages } = this.settings.chunks;
    const find = async (): Promise<MadeResult['result']> =>
      this.cpu.run(FIND_STATEMENTS, { skillCode, text: await this.objects.get(scope, textObject), languages });
    const result = (await this.store.find(scope, key)) ?? (await find());
    return { textObject, version: skill.version, key, result };
  }
}
