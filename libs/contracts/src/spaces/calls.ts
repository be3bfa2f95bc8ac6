import { call } from '../calls';
import { Int, Mode, Text } from '../fields';
import { operation } from '../operation';
import * as documents from './documents';
import * as spaces from './spaces';

const published = { owner: 'retrieval', callers: ['gateway'], profile: 'USUARIO', screens: ['WORKSPACES'] } as const;
const read = { owner: 'retrieval', scope: 'user', effect: 'read', callers: ['gateway', 'chat'] } as const;

export const listSpaces = operation({
  ...published,
  callers: [...published.callers, 'chat'],
  code: 'spaces.list',
  kind: 'read',
  screens: ['CHAT-FINAL-USER', 'CHAT-USER', 'WORKSPACES'],
  summary: 'List the spaces that the caller sees: own ones and shared ones.',
  input: spaces.SpaceListRequest,
  output: spaces.SpaceList,
});
export const listSpaceDocuments = operation({
  ...published,
  // A skill that runs over a space works on the documents that its caller sees in it.
  callers: [...published.callers, 'ingestion'],
  code: 'spaces.list_documents',
  kind: 'read',
  summary: 'List the documents of a space that the caller sees.',
  input: documents.SpaceDocumentsRequest,
  output: documents.SpaceDocuments,
});
/** @throws CriteriaRefused; NotFound for an entity that the caller does not have. */
export const createSpace = operation({
  ...published,
  code: 'spaces.create',
  kind: 'write',
  summary: 'Create a space, and gather the documents that fulfil its criteria.',
  deadlineMs: 30_000,
  input: spaces.NewSpace,
  output: spaces.Space,
});
/** @throws Forbidden for a space that the caller sees and may not change. */
export const updateSpace = operation({
  ...published,
  code: 'spaces.update',
  kind: 'write',
  summary: 'Rename or describe a space.',
  input: spaces.SpaceUpdate,
  output: spaces.Space,
});
/** @throws CriteriaRefused; Forbidden for a space that the caller sees and may not change. */
export const setSpaceCriteria = operation({
  ...published,
  code: 'spaces.set_criteria',
  kind: 'write',
  summary: 'Replace what gathers the documents of a space, and gather them.',
  deadlineMs: 30_000,
  input: spaces.SpaceCriteriaUpdate,
  output: spaces.Space,
});
/** Any visible space may be refreshed; one with a query only by its owner or an administrator. */
export const refreshSpace = operation({
  ...published,
  code: 'spaces.refresh',
  kind: 'write',
  summary: 'Gather the documents of a space again.',
  deadlineMs: 30_000,
  input: spaces.SpaceReference,
  output: spaces.Space,
});
/** @throws Conflict for a space that is shared already; Forbidden for one that the caller may not change. */
export const promoteSpace = operation({
  ...published,
  code: 'spaces.promote',
  kind: 'write',
  summary: 'Share a working set: an AREA becomes a SPACE; documents of a query become a fixed list.',
  input: spaces.SpaceReference,
  output: spaces.Space,
});
/** Counts what a deletion would delete and concern, by its own query. */
export const previewSpaceDeletion = call({
  ...read,
  callers: ['operations'],
  code: 'spaces.preview_delete',
  input: spaces.SpaceReference,
  output: spaces.SpaceEffect,
});
export const deleteSpace = operation({
  ...published,
  callers: [],
  code: 'spaces.delete',
  kind: 'write_confirm',
  summary: 'Delete a space; its documents stay, and spaces composed of it keep theirs.',
  preview: previewSpaceDeletion,
  input: spaces.SpaceReference,
  output: spaces.SpaceDeleted,
});

export const getSpace = call({
  ...read,
  code: 'spaces.get',
  input: documents.SpaceDetailRequest,
  output: documents.SpaceDetail,
});

/** Reads a space; passages for a query count as one retrieval. @throws InvalidMeaning for chunks without a query */
export const readSpace = call({
  ...read,
  code: 'spaces.read',
  input: documents.SpaceReadRequest,
  output: documents.SpaceReading,
});

const COMPOSED_TYPES = ['AREA', 'SPACE'] as const;

export class SpaceComposition {
  @Mode(spaces.setOperations, { description: 'Set operation' }) readonly operation!: spaces.SetOperation;
  @Int({ ...spaces.SPACE_NUMBER, description: 'Number of the first space' }) readonly spaceIdA!: number;
  @Int({ ...spaces.SPACE_NUMBER, description: 'Number of the second space' }) readonly spaceIdB!: number;
  @Text({ max: 200, optional: true, description: 'Name; empty or without it a sentence made of the two names' })
  readonly name?: string;
  @Mode(COMPOSED_TYPES, { default: 'AREA', description: 'AREA: a working set; SPACE: shared' })
  readonly spaceType!: (typeof COMPOSED_TYPES)[number];
}

/** Makes a space of two others. @throws NotFound for one that the caller does not see */
export const composeSpaces = call({
  ...read,
  effect: 'write',
  code: 'spaces.compose',
  deadlineMs: 30_000,
  input: SpaceComposition,
  output: spaces.Space,
});
