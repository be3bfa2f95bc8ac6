import { call } from '../calls';
import { Code, Flag, Nested, Text } from '../fields';
import { OrganizationPart } from './profile';

export class OrganizationDraftRequest {
  @Text({
    max: 100_000,
    optional: true,
    description: 'A text about the organization that the draft may draw on, such as its web page',
  })
  readonly sourceText?: string;
  @Code({ names: 'entity', optional: true, description: 'Entity; the one in focus unless named' })
  readonly entityCode?: string;
}

/** Texts as they could be. Nothing is saved. */
export class OrganizationDraft {
  @Flag({ description: 'A chat model wrote them; otherwise they are assembled from what is known' })
  readonly generated!: boolean;
  @Nested(() => OrganizationPart, { description: 'The group, with drafted texts' }) readonly group!: OrganizationPart;
  @Nested(() => OrganizationPart, { description: 'The entity, with drafted texts' }) readonly entity!: OrganizationPart;
  @Text({ max: 500, description: 'What the texts are made of' }) readonly notice!: string;
}

/** @throws InvalidContext when no entity can be determined; NotFound for one that the caller does not have */
export const draftOrganization = call({
  code: 'organization.draft',
  owner: 'ingestion',
  effect: 'read',
  scope: 'user',
  callers: ['gateway'],
  deadlineMs: 60_000,
  input: OrganizationDraftRequest,
  output: OrganizationDraft,
});
