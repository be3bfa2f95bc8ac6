import { queueStatus, type QueueStatus } from '@acervo/public-mapping';
import { Choice, Code, Int, ListOf, Text, Uuid } from '../fields';
import { type SkillTarget, skillTargets, SPACE_OF_RUN } from './skills';

/** The inputs and answers of `/habilidades`, which present the calls of skills. */
export class EarlierSkillReference {
  @Code({ wire: 'codigo', names: 'skill', description: 'Skill code' }) readonly skillCode!: string;
}

export class EarlierSkill {
  @Code({ wire: 'codigo', description: 'Skill code' }) readonly code!: string;
  @Text({ wire: 'nombre', max: 200, description: 'Name' }) readonly name!: string;
  @Text({ wire: 'descripcion', max: 1_000, description: 'What it finds' }) readonly description!: string;
  @Choice(skillTargets, { publicly: 'same', wire: 'objetivo', description: 'DOCUMENT or SPACE' })
  readonly target!: SkillTarget;
}

export class EarlierSkills {
  @ListOf(() => EarlierSkill, { wire: 'habilidades', max: 100, description: 'Skills by code' })
  readonly skills!: readonly EarlierSkill[];
}

/** What a skill runs over: exactly one of the two. */
export class EarlierSkillRunTarget {
  @Int({ ...SPACE_OF_RUN, wire: 'id_espacio', optional: true, description: 'Number of a visible space' })
  readonly spaceId?: number;
  @Code({ wire: 'codigo_documento', names: 'document', optional: true, description: 'A visible document' })
  readonly documentCode?: string;
}

export class EarlierSkillRun {
  @Uuid({ wire: 'id_ejecucion', description: 'The run' }) readonly runId!: string;
  @Choice(queueStatus.internalCodes, { publicly: queueStatus, wire: 'estado', description: 'PENDIENTE' })
  readonly status!: QueueStatus;
}
