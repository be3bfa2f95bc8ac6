import {
  type AgentProfile,
  type Call,
  composeSpaces,
  describeOperation,
  getDocument,
  getDocumentEdges,
  getFunction,
  getOrganization,
  getSkill,
  getSpace,
  getUsage,
  listAreas,
  listCatalog,
  listCatalogDocumentTypes,
  listCharacteristics,
  listDocuments,
  listLocations,
  listOperations,
  listProcesses,
  listQueue,
  listRuns,
  listSkills,
  listSpaces,
  listStartableProcesses,
  listVisibleAreas,
  readSpace,
  refreshSpace,
  runSkill,
  searchDocuments,
  startProcess,
} from '@acervo/contracts';
import {
  followsIngestion,
  readsQueue,
  readsDocuments,
  readsOneDocument,
  type Requirement,
  requirementOfOperation,
  requirements,
  runsSkills,
  searches,
} from '@acervo/rbac';

type UserCall = Call<object, object, 'user'>;

/** A tool under a name of its own: a route of `/v1`, with the call and the requirement of that route. */
export interface FixedTool {
  readonly name: string;
  readonly call: UserCall;
  readonly requirement: Requirement;
  /** What it does, in one sentence for models. */
  readonly summary: string;
  readonly profiles: readonly AgentProfile[];
}

type Row = readonly [name: string, call: UserCall, requirement: Requirement, summary: string];

const { credential } = requirements;
const readsSpaces = requirementOfOperation(listSpaces);
const followsProcesses = requirementOfOperation(listProcesses);

/** Tools for work with documents. */
const documentTools: readonly Row[] = [
  ['compose_spaces', composeSpaces, requirementOfOperation(refreshSpace), 'Make a space of two visible spaces.'],
  [
    'get_document',
    getDocument,
    readsOneDocument,
    'Show one document: its state, its place and what skills found in it.',
  ],
  ['get_document_edges', getDocumentEdges, readsDocuments, 'Show what a document shares with its neighbours.'],
  ['get_organization', getOrganization, credential, 'Show what the group and an entity say about themselves.'],
  ['get_skill', getSkill, credential, 'Show a skill and the schema of its results.'],
  ['get_space', getSpace, readsSpaces, 'Show a space and its first documents.'],
  ['get_usage', getUsage, credential, 'Show the plan of the group and what is used of its quotas.'],
  [
    'list_areas',
    listVisibleAreas,
    requirementOfOperation(listAreas),
    'List the areas in focus, level by level or by name.',
  ],
  ['list_catalog', listCatalog, credential, 'List the screens and skills that the user has.'],
  ['list_characteristics', listCharacteristics, credential, 'List the features that a search may filter by.'],
  ['list_document_types', listCatalogDocumentTypes, credential, 'List the document types that a search may filter by.'],
  ['list_documents', listDocuments, readsDocuments, 'List the documents that the user may see, page by page.'],
  [
    'list_locations',
    listLocations,
    requirementOfOperation(listLocations),
    'List the visible folders, level by level or by name.',
  ],
  ['list_queue', listQueue, readsQueue, 'List the work on visible documents; with the process SKILL, runs of skills.'],
  ['list_runs', listRuns, followsIngestion, 'List the runs over visible locations, the latest first.'],
  ['list_skills', listSkills, credential, 'List the skills that may be run by name.'],
  ['list_spaces', listSpaces, readsSpaces, 'List the spaces that the user sees: own ones and shared ones.'],
  [
    'list_startable_processes',
    listStartableProcesses,
    followsProcesses,
    'List the processes that may be started by hand.',
  ],
  [
    'read_space',
    readSpace,
    readsSpaces,
    'Read a space: count it, list its documents, find passages, or read how they begin.',
  ],
  ['run_skill', runSkill, runsSkills, 'Queue a skill over one document or over the documents of one space.'],
  ['search_documents', searchDocuments, searches, 'Find passages for a question; counts against the quota RETRIEVALS.'],
  ['start_process', startProcess, followsProcesses, 'Start a process that may be started by hand, for the user.'],
];

/** Tools for help about the product. */
const helpTools: readonly Row[] = [
  [
    'describe_operation',
    describeOperation,
    credential,
    'Show an operation with the schemas of its input and its result.',
  ],
  ['list_operations', listOperations, credential, 'List the operations that the user reaches.'],
];

/** Tools for both. */
const commonTools: readonly Row[] = [
  ['get_function', getFunction, credential, 'Show a screen: what it is for, how it behaves, which operations it uses.'],
];

const toolOf =
  (...profiles: AgentProfile[]) =>
  ([name, call, requirement, summary]: Row): FixedTool => ({ name, call, requirement, summary, profiles });

/** The tools with fixed names. An operation among their calls has no second name. */
export const fixedTools: readonly FixedTool[] = [
  ...documentTools.map(toolOf('user_chat')),
  ...helpTools.map(toolOf('support_chat')),
  ...commonTools.map(toolOf('user_chat', 'support_chat')),
];
