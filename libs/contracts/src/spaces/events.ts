import { event } from '../events';
import { Int } from '../fields';
import { SPACE_NUMBER } from './spaces';

/** A space that was deleted. Its number is never given to another one. */
export class SpaceGone {
  @Int({ ...SPACE_NUMBER, description: 'Number of the space' }) readonly spaceId!: number;
}

/** Lets ingestion delete what skills found in the documents of a space. */
export const spaceDeleted = event({
  topic: 'space.deleted.v1',
  producer: 'retrieval',
  subscribers: ['ingestion'],
  payload: SpaceGone,
  key: ({ spaceId }) => String(spaceId),
});
