import { call } from '../calls';
import { DerivedFrom, SkillResult } from '../documents/skill-results';
import { Int, ListOf } from '../fields';
import { SPACE_OF_RUN } from './skills';

/** Documents that one result of a space cites. */
export const MOST_CITED_DOCUMENTS = 800;

/** What a skill found in the documents of a space together. */
export class SpaceSkillResult extends SkillResult {
  @ListOf(() => DerivedFrom, { max: MOST_CITED_DOCUMENTS, description: 'The documents that it cites, by code' })
  readonly derivedFrom!: readonly DerivedFrom[];
}

export class SpaceSkillResultsRequest {
  @Int({ ...SPACE_OF_RUN, description: 'Number of a space that the caller sees' }) readonly spaceId!: number;
}

export class SpaceSkillResults {
  @ListOf(() => SpaceSkillResult, {
    max: 100,
    description: 'Results by skill; none that cites a document that the caller does not see',
  })
  readonly results!: readonly SpaceSkillResult[];
}

/** The sender makes sure that the caller sees the space; each result is shown to those alone who see what it cites. */
export const readSpaceResults = call({
  owner: 'ingestion',
  scope: 'user',
  effect: 'read',
  callers: ['gateway'],
  code: 'skills.space_results',
  input: SpaceSkillResultsRequest,
  output: SpaceSkillResults,
});
