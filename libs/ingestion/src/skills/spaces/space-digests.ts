import { Injectable } from '@nestjs/common';
import type { Lease } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Cpu } from '../../cpu/cpu';
import { digest, PipelineSettings } from '../../reading/pipeline-settings';
import { type Unmade, unmadeBy } from '../model/model-failures';
import { type AnswerForm, STATEMENTS } from '../model/model-reading';
import { ModelRuns } from '../model/model-run';
import { type SkillModel, SkillModels } from '../model/skill-models';
import { DIGEST_LAYER } from '../model/skill-prompts';
import type { ProductSkill } from '../product-skills';
import type { Digest } from './digest';
import { CHOOSE_STATEMENTS, LIST_STATEMENTS } from './digest-answers';
import { REDUCE_STATEMENTS, type ReduceJob } from './reduce-statements';
import { type FoundInDocument, type MadeDigest, SpaceSkillStore, type SpaceWork } from './space-skill.store';

/** What a model reads is what was found in documents, not a document. */
const DIGEST: AnswerForm = { ...STATEMENTS, subject: 'statements of documents' };

/** A run over a space that a worker has begun, once its documents are worked. */
export interface SpaceRun {
  readonly lease: Lease;
  readonly work: SpaceWork;
  readonly stopping: AbortSignal;
}

/** What a digest is made of: the documents with what was found in them, and either the ranking or a model with its prompt. */
const keyOf = (
  { code, version }: ProductSkill,
  found: readonly FoundInDocument[],
  read: SkillModel | undefined,
): string => {
  const sources = found.map(({ documentId, textObject, result }) => [documentId, textObject, result.statements]);
  return digest([code, version, sources, ...(read ? [read.model, read.prompt.hash] : [])]);
};

/** The entity of documents; null for those of several entities, which get the prompt of the group alone. */
const entityOf = (found: readonly FoundInDocument[]): string | null => {
  const [entityCode = null, ...others] = new Set(found.map((each) => each.entityCode));
  return others.length === 0 ? entityCode : null;
};

const withSources = (made: Digest, found: readonly FoundInDocument[]): MadeDigest['result'] => {
  const cited = new Set(made.statements.flatMap(({ citations }) => citations.map(({ documentId }) => documentId)));
  const sources = found
    .filter(({ documentId }) => cited.has(documentId))
    .map(({ documentId, revision, textObject }) => ({ documentId, revision, textObject }));
  return { ...made, sources };
};

/** Makes one result of what a skill found in the documents of a space, by a model where the group has one. */
@Injectable()
export class SpaceDigests {
  constructor(
    private readonly store: SpaceSkillStore,
    private readonly cpu: Cpu,
    private readonly settings: PipelineSettings,
    private readonly models: SkillModels,
    private readonly modelRuns: ModelRuns,
  ) {}

  /** The result; without one, the reason and when the run is tried again. */
  async of(
    scope: WorkScope,
    run: SpaceRun,
    skill: ProductSkill,
    found: readonly FoundInDocument[],
  ): Promise<MadeDigest | Unmade> {
    const chosen = await this.models.ofRun(scope.groupId, skill, entityOf(found), { form: DIGEST_LAYER });
    if ('reason' in chosen) return chosen;
    const read = 'why' in chosen ? undefined : chosen;
    const key = keyOf(skill, found, read);
    const [model, layers] = read === undefined ? [null, null] : [read.model, read.prompt.layers];
    const made = { version: skill.version, key, model, layers };
    try {
      const reduced =
        (await this.store.find(scope, key, skill.version)) ?? (await this.reduced(scope, run, key, found, read));
      return { ...made, result: withSources(reduced, found) };
    } catch (error) {
      return unmadeBy(error);
    }
  }

  private async reduced(
    scope: WorkScope,
    { lease, stopping }: SpaceRun,
    key: string,
    found: readonly FoundInDocument[],
    read: SkillModel | undefined,
  ): Promise<Digest> {
    const sources = found.map(({ documentId, result }) => ({ documentId, result }));
    const job: ReduceJob = { sources, languages: this.settings.chunks.languages };
    if (read === undefined) return this.cpu.run(REDUCE_STATEMENTS, job);
    const text = await this.cpu.run(LIST_STATEMENTS, job);
    const documentIds = found.map(({ documentId }) => documentId);
    const modelRun = { ...read, lease, key, text, stopping, documentIds, isBackground: false, form: DIGEST };
    return this.cpu.run(CHOOSE_STATEMENTS, { ...job, answers: await this.modelRuns.answers(scope, modelRun) });
  }
}
