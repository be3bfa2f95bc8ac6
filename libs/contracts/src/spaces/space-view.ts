import { ListOf } from '../fields';
import { SpaceSkillResult } from '../skills/space-results';
import { SpaceDetail } from './documents';

/** A space with what skills found in its documents together. */
export class SpaceView extends SpaceDetail {
  @ListOf(() => SpaceSkillResult, {
    max: 100,
    nullable: true,
    description: 'What skills found in its documents together; null while it cannot be asked for',
  })
  readonly skillResults!: readonly SpaceSkillResult[] | null;
}
