import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  Conflict,
  countSkillResults,
  type Empty,
  getSkill,
  InvalidMeaning,
  listSkills,
  listSpaceDocuments,
  MOST_RUN_DOCUMENTS,
  NotFound,
  readSpaceResults,
  reapplySkill,
  runSkill,
  type Skill,
  type SkillList,
  type SkillReference,
  type SkillResultCounts,
  type SkillRun,
  type SkillRunRequest,
  type SpaceDocuments,
  type SpaceSkillRequest,
  type SpaceSkillResults,
  type SpaceSkillResultsRequest,
  updateGroupParameter,
} from '@acervo/contracts';
import { Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import { executorsOf, reaches, type Scope, visibilityOf } from '@acervo/rbac';
import { DocumentSkillStore } from './document-skill.store';
import { isUnsaid, SkillModels } from './model/skill-models';
import { type ProductSkill, productSkill, productSkills, published } from './product-skills';
import { SpaceSkillStore } from './spaces/space-skill.store';

const PAGE = 200;

const replacesPrompts = executorsOf(updateGroupParameter);

/** @throws NotFound for a skill that callers do not run */
const existing = (code: string): ProductSkill => {
  const skill = productSkill(code);
  if (skill === undefined) throw new NotFound();
  return skill;
};

/** Lists the skills of the product and queues their runs. */
@Injectable()
export class SkillsHandlers {
  constructor(
    private readonly calls: Calls,
    private readonly store: DocumentSkillStore,
    private readonly spaceStore: SpaceSkillStore,
    private readonly models: SkillModels,
  ) {}

  @Handles(listSkills)
  async list(scope: Scope, _input: Empty): Promise<SkillList> {
    return { skills: await this.seen(scope, productSkills) };
  }

  @Handles(getSkill)
  async get(scope: Scope, { skillCode }: SkillReference): Promise<Skill> {
    const [skill] = await this.seen(scope, [existing(skillCode)]);
    if (skill === undefined) throw new NotFound();
    return skill;
  }

  @Handles(countSkillResults)
  async count({ groupId }: Scope, _input: Empty): Promise<SkillResultCounts> {
    return { skills: await this.store.countByModel({ groupId }) };
  }

  @Handles(runSkill)
  async run(scope: Scope, input: SkillRunRequest, context: WriteContext): Promise<SkillRun> {
    const { documentCode, spaceId } = input;
    if ((documentCode === undefined) === (spaceId === undefined))
      throw new InvalidMeaning(['space_id', 'document_code']);
    const skill = existing(input.skillCode);
    const { code: skillCode, target } = skill;
    if (target === 'SPACE' && spaceId === undefined) throw new InvalidMeaning(['space_id']);
    await this.models.assertAvailable(scope.groupId, skill);
    const codes = spaceId === undefined ? [documentCode ?? ''] : await this.members(scope, spaceId);
    return context.write(async (tx) => {
      const documentIds = await this.store.readable(tx, visibilityOf(scope), codes);
      const run = { skillCode, runId: randomUUID(), spaceId: spaceId ?? null };
      const asked = { ...run, userId: scope.userId, documentIds };
      const createdAt = await this.store.request(tx, asked);
      if (target === 'SPACE' && spaceId !== undefined) await this.spaceStore.request(tx, { ...asked, spaceId });
      return {
        ...run,
        ...{ status: 'PENDIENTE', documentCode: documentCode ?? null, documentCount: documentIds.length },
        createdAt: createdAt.toISOString(),
      };
    });
  }

  @Handles(readSpaceResults)
  async spaceResults(scope: Scope, { spaceId }: SpaceSkillResultsRequest): Promise<SpaceSkillResults> {
    return { results: await this.spaceStore.results(visibilityOf(scope), spaceId) };
  }

  @Handles(reapplySkill)
  reapply(scope: Scope, request: SpaceSkillRequest, context: WriteContext): Promise<SkillRun> {
    return this.run(scope, request, context);
  }

  /** Skills as a caller sees them: those who may replace a prompt and a model see them, where auth says what they are. */
  private async seen(scope: Scope, skills: readonly ProductSkill[]): Promise<readonly Skill[]> {
    if (!reaches(scope, replacesPrompts)) return skills.map(published);
    try {
      const instructions = await this.models.instructions(scope.groupId, skills);
      return skills.map((skill) => ({ ...published(skill), ...instructions.get(skill.code) }));
    } catch (error) {
      if (isUnsaid(error)) return skills.map(published);
      throw error;
    }
  }

  /** The documents of a space that the caller sees. @throws NotFound for an invisible space, Conflict for a large one */
  private async members(scope: Scope, spaceId: number): Promise<string[]> {
    const codes: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: SpaceDocuments = await this.calls.send(listSpaceDocuments, scope, {
        ...{ spaceId, limit: PAGE },
        ...(cursor === '' ? {} : { cursor }),
      });
      const { documents, nextCursor, total } = page;
      if (total > MOST_RUN_DOCUMENTS)
        throw new Conflict(
          `The space has more than ${MOST_RUN_DOCUMENTS} documents; run the skill over a smaller one.`,
        );
      codes.push(...documents.map(({ code }) => code));
      cursor = nextCursor;
    }
    if (codes.length === 0) throw new Conflict('The space has no document that you see; gather its documents first.');
    return codes;
  }
}
