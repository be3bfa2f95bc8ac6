import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Cpu } from '../cpu/cpu';
import { RUN_SKILL } from '../kernel/stages';
import { PipelineSettings } from '../reading/pipeline-settings';
import { DocumentSkillStore, type MadeResult, type SkillWork } from './document-skill.store';
import { FIND_STATEMENTS } from './find-statements';
import { type ProductSkill, productSkill } from './product-skills';

/** What a result is made of. It grows by the layers of a prompt and the model where a skill has them. */
const keyOf = ({ code, version }: ProductSkill, { textObject, settingsHash }: SkillWork): string =>
  createHash('sha256')
    .update(JSON.stringify([code, version, textObject, settingsHash]))
    .digest('hex');

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
      const made = work === undefined ? null : await this.make(scope, work);
      await this.database.write(scope, async (tx) => {
        await this.tasks.complete(tx, lease);
        if (work !== undefined && made !== null) await this.store.save(tx, work.workId, made);
      });
    }
  }

  /** Null where the document lost its text meanwhile, or the skill is not one of this version. */
  private async make(scope: WorkScope, work: SkillWork): Promise<MadeResult | null> {
    const { textObject, skillCode } = work;
    const skill = productSkill(skillCode);
    if (skill === undefined || textObject === null) return null;
    const key = keyOf(skill, work);
    const { languages } = this.settings.chunks;
    const find = async (): Promise<MadeResult['result']> =>
      this.cpu.run(FIND_STATEMENTS, { skillCode, text: await this.objects.get(scope, textObject), languages });
    const result = (await this.store.find(scope, key)) ?? (await find());
    return { textObject, version: skill.version, key, result };
  }
}
