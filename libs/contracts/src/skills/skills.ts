import { queueStatus, type QueueStatus, skillDescription, skillName } from '@acervo/public-mapping';
import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Flag, Int, ListOf, Moment, OneOf, OpenObject, ProductText, Text, Uuid } from '../fields';
import { operation } from '../operation';

/** The number of a space. Spaces are built on the taxonomy, whose catalogue names skills: they import nothing of spaces. */
export const SPACE_OF_RUN = { min: 1, max: 2_147_483_647, names: 'space' } as const;

export const skillTargets = ['DOCUMENT', 'SPACE'] as const;
export type SkillTarget = (typeof skillTargets)[number];

/** Documents of a space that one run works on. */
export const MOST_RUN_DOCUMENTS = 1_000;

/** What the product can be asked to find in documents. */
export class Skill {
  @Code({ description: 'Skill code' }) readonly code!: string;
  @ProductText(skillName, { max: 200, description: 'Name' }) readonly name!: string;
  @ProductText(skillDescription, { max: 1_000, description: 'What it finds' }) readonly description!: string;
  @Choice(skillTargets, {
    publicly: 'same',
    description: 'DOCUMENT: each document by itself; SPACE: the documents of a space together',
  })
  readonly target!: SkillTarget;
  @OpenObject({ description: 'JSON schema of a result' })
  readonly outputSchema!: Readonly<Record<string, unknown>>;
  @Flag({ description: 'Whether it needs a chat model; the others quote the documents without one' })
  readonly requiresModel!: boolean;
  @Text({ max: 40, description: 'Rises with each change of what it finds' }) readonly version!: string;
  @Text({
    max: 4_000,
    optional: true,
    description: 'The task that its model gets; present for administrators with MANAGE_GROUP_PARAMS',
  })
  readonly prompt?: string;
  @Text({
    max: 4_000,
    nullable: true,
    optional: true,
    description:
      'The model that reads for it, null where none does; present for administrators with MANAGE_GROUP_PARAMS',
  })
  readonly model?: string | null;
}

export class SkillList {
  @ListOf(() => Skill, { max: 100, description: 'Skills by code' }) readonly skills!: readonly Skill[];
}

export class SkillReference {
  @Code({ names: 'skill', description: 'Skill code' }) readonly skillCode!: string;
}

/** What a skill runs over: exactly one of the two. */
export class SkillRunTarget {
  @Int({ ...SPACE_OF_RUN, optional: true, description: 'Number of a visible space: all its visible documents' })
  readonly spaceId?: number;
  @Code({ names: 'document', optional: true, description: 'A visible document' }) readonly documentCode?: string;
}

export class SkillRunRequest extends SkillRunTarget {
  @Code({ names: 'skill', description: 'Skill code' }) readonly skillCode!: string;
}

/** A skill over all visible documents of a space. */
export class SpaceSkillRequest extends SkillReference {
  @Int({ ...SPACE_OF_RUN, description: 'Number of a visible space' }) readonly spaceId!: number;
}

/** A run that was queued. */
export class SkillRun {
  @Uuid({ description: 'The run' }) readonly runId!: string;
  @Code({ description: 'Skill' }) readonly skillCode!: string;
  @OneOf(queueStatus, { description: 'PENDING; the queue shows how far it is' }) readonly status!: QueueStatus;
  @Code({ nullable: true, description: 'The document; null for a space' }) readonly documentCode!: string | null;
  @Int({ min: 1, nullable: true, description: 'Number of the space; null for a document' })
  readonly spaceId!: number | null;
  @Int({ description: 'Documents that it works on; those without a text are left out' })
  readonly documentCount!: number;
  @Moment({ description: 'When it was queued' }) readonly createdAt!: string;
}

const read = { owner: 'ingestion', effect: 'read', scope: 'user', callers: ['gateway', 'chat', 'operations'] } as const;

export const listSkills = call({ ...read, code: 'skills.list', input: Empty, output: SkillList });

/** @throws NotFound for a skill that is not meant for callers, as for one that does not exist */
export const getSkill = call({ ...read, code: 'skills.get', input: SkillReference, output: Skill });

/**
 * Queues a skill over a document, or over each document of a space.
 * @throws InvalidMeaning for no target, or for two; NotFound for one that the caller does not see; Conflict where no
 * document has a text, the space has too many, or the skill needs a model that the group does not have
 */
export const runSkill = call({
  ...read,
  effect: 'write',
  code: 'skills.run',
  deadlineMs: 30_000,
  input: SkillRunRequest,
  output: SkillRun,
});

/** The run of a skill over a space, as an operation. @throws as a run does */
export const reapplySkill = operation({
  owner: 'ingestion',
  code: 'spaces.reapply_skill',
  kind: 'write',
  profile: 'USUARIO',
  screens: ['WORKSPACES'],
  summary: 'Run a skill over the documents of a space again.',
  deadlineMs: 30_000,
  input: SpaceSkillRequest,
  output: SkillRun,
});
