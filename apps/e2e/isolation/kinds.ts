import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GroupThing, Named, ProductThing } from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import { number, type TenantFixture } from './tenant-fixture';
import type { Slot } from './shapes';
import type { Group } from './tenants';

/**
 * Kinds of input fields.
 * - `names`: an identifier of something that belongs to a group; the suite tries one of another group.
 * - `makes`: a code, a number or an address that the caller chooses for something new.
 * - `isText`: free text; the suite reads with words of another group.
 * - `value`: nothing that belongs to a group: a number, a word of a list, a credential.
 */
export type Kind =
  | { readonly names: (of: TenantFixture, group: Group) => string | number | object; readonly with?: readonly string[] }
  | { readonly makes: (of: TenantFixture) => string | number }
  | { readonly isText: true }
  | { readonly value: unknown };

/** Existing folders, for operations that register one. */
export const FOLDERS = join(tmpdir(), `acervo-isolation-folders-${process.pid}`);

const names = (
  names: (of: TenantFixture, group: Group) => string | number | object,
  ...companions: string[]
): Kind => ({
  names,
  with: companions,
});
const valueKind = (value: unknown): Kind => ({ value: value });

const folderOf = ({ word }: Pick<TenantFixture, 'word'>): string => {
  const folder = join(FOLDERS, word);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** The folder that both groups may add. */
export const OPENED = join(FOLDERS, 'opened');

const openedFolderOf = ({ word }: TenantFixture): string => folderOf({ word: join('opened', word) });

/** The subject of tasks about a space: its number as a UUID. */
const spaceSubject = (space: number): string => `00000000-0000-4000-8000-${space.toString(16).padStart(12, '0')}`;

/** Kinds of fields that declare what they name: the code or number of something in a fixture. */
const ofThings: Readonly<Record<GroupThing, Kind>> = {
  api_key: names(({ key }) => key),
  area: names(({ area }) => area),
  challenge: names(({ challenge }) => challenge),
  conversation: names(({ conversation }) => conversation),
  document: names(({ document }) => document),
  document_type: names(({ documentType }) => documentType),
  entity: names(({ entity }) => entity),
  factor: names(({ factor }) => factor),
  feature: names(({ feature }) => feature),
  feature_category: names(({ featureCategory }) => featureCategory),
  group: names((_of, { code }) => code),
  group_process: names(({ groupProcess }) => groupProcess),
  group_task: names(({ groupTask }) => groupTask),
  location: names(({ location }) => location),
  process: names(({ process }) => process),
  role: names(({ roleCode }) => roleCode),
  root: names(({ root }) => root),
  run: names(({ run }) => run),
  space: names(({ space }) => space),
  user: names(({ user }) => user),
};

/** Internal routes identify roles by number. */
const roleByNumber = names(({ role }) => role);

const ofProduct: Readonly<Record<ProductThing, Kind>> = {
  application: valueKind('WEB'),
  function: valueKind('DOCUMENTS'),
  operation: valueKind('entities.list'),
  parameter: valueKind('CONTACT'),
  skill: valueKind('KEY-DATES'),
};

const newThings: Readonly<Partial<Record<Named, Kind>>> = {
  'new area': { makes: ({ area }) => area },
  'new document_type': { makes: ({ documentType }) => documentType },
  'new feature': { makes: ({ feature }) => feature },
  'new feature_category': { makes: ({ featureCategory }) => featureCategory },
  'new group_process': { makes: ({ groupProcess }) => groupProcess },
  'new group_task': { makes: ({ groupTask }) => groupTask },
  'new process': { makes: ({ process }) => process },
  'new entity': { makes: ({ entity }) => entity },
  'new role': { makes: ({ roleCode }) => roleCode },
  'new user': { makes: ({ user }) => user },
};

const ofNamed: Readonly<Partial<Record<Named, Kind>>> = { ...ofThings, ...ofProduct, ...newThings };

const declaredKind = ({ names: named, schema }: Slot): Kind | undefined => {
  if (named === 'role' && schema.type === 'integer') return roleByNumber;
  return named && ofNamed[named];
};

/**
 * Exceptions from declarations (`names`), and fields without one. A field is matched as `operation Class.wire`; the
 * first match applies.
 */
const table: readonly (readonly [RegExp, Kind])[] = [
  // Words of the product catalogue, which all groups share.
  [
    /^(functions\.(update|delete|generate_md|analyse|generate_view|sync_view|add_application)|(PUT|DELETE) \/funciones\/:codigo|POST \/funciones\/:codigo\/(aplicaciones|generar-md|forzar-analisis|generar-vista|sincronizar-vista)) .*\.codigo$/,
    valueKind('ZZ_TEST'),
  ],
  [/^(functions\.add_role|POST \/funciones\/:codigo\/roles) .*\.codigo$/, valueKind('CHAT-USER')],
  [/FunctionBehaviourItem\.operaciones$/, valueKind('entities.list')],
  [/(functions\.create .*|POST \/funciones .*)\.codigo$/, valueKind('ZZ_NEW')],
  [/(AssignFunctionApplication)\.codigo$/, valueKind('ZZ_TEST')],
  [/(FunctionAssignment|AssignFunction)\.codigo_funcion$/, valueKind('CHAT-USER')],
  [
    /^(functions\.add_application|POST \/funciones\/:codigo\/aplicaciones|roles\.add_application|POST \/roles\/:id_rol\/aplicaciones) .*\.codigo_aplicacion$/,
    valueKind('ZZ_APP'),
  ],
  [/Execution(Request)?\.preview_token$/, valueKind('x')],
  // The inputs of operations are tried Call by Call.
  [/Execution(Request)?\.input$/, valueKind({})],

  // A tool of agents that shows a document; calls behind other tools are tried one by one.
  [/Tool(CallRequest|Reference)\.public_name$/, valueKind('get_document')],
  [/Tool(CallRequest|Arguments)\.arguments$/, names(({ document }) => ({ document_code: document }))],

  // What starts a definition: a type is named with its trigger.
  [/GroupProcess(Update)?\.document_type_code$/, names(({ documentType }) => documentType, 'trigger')],
  // A task changes with its state.
  [/ProcessTaskChange\.code$/, names(({ groupTask }) => groupTask, 'status')],
  [/GroupProcess(Update)?\.trigger$/, valueKind('DOCUMENT_CLASSIFIED')],

  // Fields of events and tasks. An event must be newer than the recorded revision to be handled.
  [/^\w+ hears .*\.revision$/, valueKind(9)],
  [/^\w+ (hears|works) .*\.document_id$/, names(({ ids }) => ids.document)],
  [/Document(Classified|Described|Prepared|Deleted)\.code$/, names(({ document }) => document)],
  [/Document(Classified|Described|Prepared)\.(type_codes|attributes|characteristics)$/, names(({ word }) => word)],
  [/LocationDescribed\.code$/, names(({ location }) => location)],
  [/LocationDescribed\.(parent_code|ancestors)$/, names(({ root }) => root)],
  [/\.location_ancestors$/, names(({ root }) => root)],
  [/Embedding\w+\.model$/, valueKind(HASHING.model)],
  [/EmbeddingModelKey\.revision$/, valueKind(HASHING.revision)],
  [/Embedding\w+\.dimension$/, valueKind(HASHING.dimension)],
  [/EmbeddingIndexLive\.floor$/, valueKind(Math.random)],
  [/EmbeddingModelKey\.floor$/, valueKind(HASHING.floor)],
  [/(UserIdentity|CountedUser|UserDependentsDeleted|ProcessRequest)\.user_id$/, names(({ ids }) => ids.user)],
  [/AuditRecord\.record_id$/, { makes: ({ ids }) => ids.run }],
  [/ModelCall\.call_id$/, { makes: ({ ids }) => ids.run }],
  [/ModelCall\.purpose$/, valueKind('CHAT-ANSWER')],
  // The fixture has a call that runs under the id of its user.
  [/ModelCallEnded\.call_id$/, names(({ ids }) => ids.user)],
  [/\.chunks_object$/, names(({ ids }, { groupId }) => `group/${groupId}/chunks/${ids.document}`)],
  [/\.vectors_object$/, names(({ ids }, { groupId }) => `group/${groupId}/vectors/${ids.document}`)],
  [/CollectableObjects\.objects$/, names(({ ids }, { groupId }) => `group/${groupId}/chunks/${ids.document}`)],
  [/CollectableObjects\.hashes$/, names(({ word }) => word)],
  [/LocationsDeleted\.(root_code|codes)$/, names(({ root }) => root)],
  // A round begins before every document, and before every space.
  [/RefreshRound\.after$/, valueKind(0)],
  [/ClassificationRound\.after$/, valueKind('00000000-0000-0000-0000-000000000000')],
  [/RemovedRoot\.root$/, names(({ root }) => root)],
  [/ works (scan|web|expire-snapshot|skill|reduce-skill) Task\.subject_id$/, names(({ ids }) => ids.run)],
  [
    / works (flip|retire|reconcile|rescan|classify-again|rebuild|drop|anchor-audit|schedule-spaces|start-scheduled) Task\.subject_id$/,
    names((_of, { groupId }) => groupId),
  ],
  [/ works (refresh|purge)-space Task\.subject_id$/, names(({ space }) => spaceSubject(space))],
  [/Task\.subject_id$/, names(({ ids }) => ids.document)],

  // Fields that belong to a group.
  [/AssignRole\.codigo_rol$/, names(({ roleCode }) => `free-${roleCode}`)],
  [/InventoryRequest\.after$/, valueKind('')],
  [/(InventoryRequest\.only|DocumentsToPurge\.document_ids)$/, names(({ ids }) => ids.document)],
  [/FolderRegistration\.entity_code$/, { makes: ({ entity }) => entity }],
  [/FolderRegistration\.path$/, valueKind(folderOf)],
  // A folder of the operator, below one that both groups may add.
  [/NewLocation\.path$/, valueKind(openedFolderOf)],
  // A web location in place of the folder.
  [/NewLocation\.(name|start_urls|topic)$/, valueKind('x')],
  // A pattern: an address would be looked for on the web.
  [/WebReview\.(approve|reject)$/, valueKind('*')],
  [/^areas\.(preview_)?remove_location .*\.location_code$/, names(({ root }) => root)],
  [/LocationListRequest\.parent_code$/, names(({ root }) => root)],
  // A type is not moved below itself.
  [/DocumentTypeUpdate\.parent_code$/, names(({ emptyType }) => emptyType)],
  [/FeaturePhrases\.phrases$/, valueKind('riego')],
  [/\.area_predeterminada$/, names(({ area }) => area, 'entidad_predeterminada')],
  [/CreateApiKey\.codigo_area$/, names(({ area }) => area, 'codigo_entidad', 'codigo_usuario_destino')],
  [/CreateApiKey\.codigo_entidad$/, names(({ entity }) => entity, 'codigo_usuario_destino')],
  [/CreateApiKey\.rol_solicitado$/, names(({ roleCode }) => roleCode, 'codigo_usuario_destino')],
  [/(EntityAssignment|AssignEntity)\.codigo_entidad$/, names(({ otherEntity }) => otherEntity)],
  [/(EntityAssignment|AssignEntity)\.codigo_area$/, names(({ otherArea }) => otherArea)],
  [/PersonInGroup\.user_id$/, names(({ ids }) => ids.user)],
  [/^areas\.delete .*\.area_code$/, names(({ emptyArea }) => emptyArea)],
  [/^entities\.delete .*\.entity_code$/, names(({ emptyEntity }) => emptyEntity)],
  [/(AreaListRequest|NewArea|AreaUpdate)\.parent_code$/, names(({ emptyArea }) => emptyArea)],
  [/(UserRoleReference|RemoveUserRole|RolePlace)\.id_rol$/, names(({ assignedRole }) => assignedRole)],

  // A credential belongs to the caller that presents it.
  [/\.(bearer|token|refresh_token|password|device_token|administrator_password)$/, valueKind('not a credential 1')],
  [/(VerifyFactor|ClientVerification)\.code$/, valueKind('000000')],
  [/(VerifyFactor|ClientVerification)\.credential$/, valueKind({ id: 'x' })],

  // Codes that the documents of a fixture carry.
  [/SearchFilter\.\w+$/, names(({ word }) => word)],
  // Passages; other checks read the documents of a space.
  [/(ReadingOptions|SpaceReadRequest)\.resolution$/, valueKind('chunks')],
  [/(SpaceCriteria|NamedCodes)\.(document_types|attributes|characteristics)$/, names(({ word }) => word)],

  // A rule has all its parts.
  [/get_impact BoundaryRuleItem\.value$/, names(({ word }) => word, 'field', 'match', 'effect')],

  // A page of a list; checks of cursors cover it.
  [/\.cursor$/, valueKind('x')],

  // Rows of an import: the group of the import applies, whatever they name.
  [
    /^exports\.write_people .*\.rows$/,
    names(({ run, word }, { groupId }) => ({ group_id: groupId, name: word, value: run })),
  ],
  [
    /^exports\.write_folders .*\.rows$/,
    names(({ run, word }, { groupId }) => ({ group_id: groupId, name: word, value: run })),
  ],
  [
    /^exports\.write_conversations .*\.rows$/,
    names(({ run, word }, { groupId }) => ({ group_id: groupId, name: word, value: run })),
  ],
  [/^exports\.write_processes .*\.rows$/, names(({ run }, { groupId }) => ({ group_id: groupId, value: run }))],
  [/^exports\.write_processes .*\.table$/, valueKind('process_counter')],
  [/^exports\.write_spaces .*\.rows$/, names(({ run }, { groupId }) => ({ group_id: groupId, value: run }))],
  [/^exports\.write_spaces .*\.table$/, valueKind('space_counter')],
  [/^exports\.(read|write)_\w+ .*\.table$/, valueKind('counter')],
  [/(PageOfRows|SnapshotToDrop)\.snapshot_id$/, names(({ ids }) => ids.run)],
  [/PageOfRows\.page$/, valueKind(0)],
  // A restore names the first group before any group exists.
  [/InstallationToRestore\.first_group$/, valueKind('00000000-0000-4000-8000-000000000009')],

  // Values with special meanings.
  [/(NewConversation|Question)\.(function_code|codigo_funcion)$/, valueKind('CHAT-USER')],
  [/AnsweredQuestion\.function_code$/, valueKind('CHAT-USER')],
  [/RepeatedQuestion\.idempotency_key$/, valueKind('x')],
  [/ConversationLayer\.code$/, valueKind('CHAT-ANSWER')],
  [/ConversationLayer\.sha256$/, valueKind('0'.repeat(64))],
  // An assignment that is not newer than the last one changes nothing.
  [/PlanAssigned\.revision$/, { makes: number }],
  [/Plan(Assignment|Assigned)\.plan_code$/, valueKind('FREE-LOCAL')],
  [/EarlierDocumentListRequest\.codigo_estado_doc$/, valueKind('VECTORIZADO')],
  [/ParameterUpdate\.value$/, valueKind(null)],
  [/DocumentReversal\.status$/, valueKind('DETECTED')],
  [/PersonInGroup\.purpose$/, valueKind('INVITACION')],
  [/\.url$/, valueKind('/x')],
  [/FirstGroup\.administrator$/, valueKind('somebody@zqc.test')],
];

const LOOKS_LIKE_A_NAME = /(^|_)(id|ids|code|codes|codigo|codigos|key|token|email|prefijo)(_|$)/;

const example = ({ schema }: Slot): unknown => {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'boolean') return false;
  if (schema.format === 'date-time') return '2026-01-31T00:00:00Z';
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  return undefined;
};

/** The kind of a field. @throws with the missing declaration, for a field that could name something of a group */
export const kindOf = (operation: string, slot: Slot): Kind => {
  const wire = slot.path.findLast((step) => typeof step === 'string') ?? '';
  const found = table.find(([pattern]) => pattern.test(`${operation} ${slot.name}`));
  if (found !== undefined) return found[1];
  const declared = declaredKind(slot);
  if (declared !== undefined) return declared;
  if (slot.isCode || LOOKS_LIKE_A_NAME.test(String(wire)))
    throw new Error(
      `${operation} takes ${slot.name} of an unknown kind; declare it with \`names\`, or give it a row in isolation/kinds.ts.`,
    );
  const value = example(slot);
  return value === undefined ? { isText: true } : { value: value };
};

/** Optional fields without which an administrator is refused. */
const always =
  /((AssignRole|UserRolePlace)\.codigo_rol|RoleDraft\.codigo_grupo|RoleCopy\.codigo|(ReadingOptions|SpaceReadRequest)\.(resolution|query)|NewLocation\.path|(AreaListRequest|NewArea|NewLocation|FolderRegistration|OrganizationRequest|OrganizationUpdate|OrganizationDraftRequest)\.entity_code|AreaUpdate\.name|(DocumentTypeUpdate|FeatureCategoryUpdate|FeatureUpdate)\.name|BoundaryUpdate\.includes|OrganizationUpdate\.group_description|SpaceUpdate\.name|(GroupProcessUpdate|GroupTaskUpdate|ProcessUpdate|ProcessChange)\.name|SpaceCriteria\.document_types)$/;

export const isGivenAlways = ({ name }: Slot): boolean => always.test(name);
