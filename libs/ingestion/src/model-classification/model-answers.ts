import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@acervo/platform-object-store';
import type { WorkScope } from '@acervo/rbac';
import type { ModelFindings } from '../classification/classified';
import { findingsOf } from '../classification/model-findings';
import { Cpu } from '../cpu/cpu';
import type { ClassifiableRow } from '../reclassification/stale-documents.store';
import { DocumentSkillStore, type MadeResult } from '../skills/document-skill.store';
import { type Unmade, unmadeBy } from '../skills/model/model-failures';
import { ModelRuns } from '../skills/model/model-run';
import { type SkillModel, SkillModels } from '../skills/model/skill-models';
import type { PipelineRun } from '../skills/pipeline-runs';
import { keyOf } from '../skills/skill.stage';
import { CHECK_FINDINGS } from './check-findings';
import type { Question } from './question';

/** What a model found in a document. */
export interface MadeFindings extends MadeResult {
  readonly result: MadeResult['result'] & { readonly findings: ModelFindings };
}

/** Has a model answer questions about documents. Equal texts get one answer to equal questions. */
@Injectable()
export class ModelAnswers {
  constructor(
    private readonly skills: DocumentSkillStore,
    private readonly models: SkillModels,
    private readonly modelRuns: ModelRuns,
    private readonly objects: ObjectStore,
    private readonly cpu: Cpu,
  ) {}

  /** Undefined where the group has no model. */
  async of(
    scope: WorkScope,
    run: PipelineRun,
    row: ClassifiableRow,
    question: Question,
  ): Promise<MadeFindings | Unmade | undefined> {
    const { skill, work } = run;
    const read = await this.models.ofRun(scope.groupId, skill, work.entityCode, question.layers);
    if ('reason' in read) return read;
    if ('why' in read) return undefined;
    const key = keyOf(skill, work, read);
    const made = {
      textObject: row.textObject,
      version: skill.version,
      key,
      model: read.model,
      layers: read.prompt.layers,
    };
    const earlier = await this.skills.find(scope, key);
    if (earlier?.findings !== undefined) return { ...made, result: { ...earlier, findings: earlier.findings } };
    try {
      return { ...made, result: await this.found(scope, { ...run, row, question, read, key }) };
    } catch (error) {
      return unmadeBy(error);
    }
  }

  private async found(
    scope: WorkScope,
    {
      lease,
      work,
      stopping,
      row,
      question: { form, mostSlices, features },
      read,
      key,
    }: PipelineRun & {
      readonly row: ClassifiableRow;
      readonly question: Question;
      readonly read: SkillModel;
      readonly key: string;
    },
  ): Promise<MadeFindings['result']> {
    const text = await this.objects.get(scope, row.textObject);
    const { isBackground } = work;
    const slices = mostSlices === undefined ? {} : { mostSlices };
    const answers = await this.modelRuns.answers(scope, {
      ...read,
      lease,
      key,
      text,
      stopping,
      isBackground,
      form,
      ...slices,
    });
    const { language } = row;
    const { findings, dropped } = await this.cpu.run(CHECK_FINDINGS, { text, language, answers, features });
    // A choice that is refused leaves the earlier one.
    const choice = findings.choice ?? (dropped > 0 ? findingsOf(row.found).choice : null);
    return { statements: [], dropped, findings: { ...findings, choice } };
  }
}
