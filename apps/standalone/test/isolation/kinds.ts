import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HASHING } from '@acervo/models';
import type { Household } from './household';
import type { Slot } from './shapes';
import type { Group } from './tenants';

/**
 * What a field of an input holds.
 * - `names`: an identifier of something that belongs to a group. It is tried with one of another group.
 * - `makes`: a code or an address that the caller chooses for something new.
 * - `says`: free text; reads are asked with words of another group.
 * - `holds`: nothing that belongs to a group: a number, a word of a list, a credential.
 */
export type Kind =
  | { readonly names: (of: Household, group: Group) => string | number | object; readonly with?: readonly string[] }
  | { readonly makes: (of: Household) => string }
  | { readonly says: true }
  | { readonly holds: unknown };

/** Folders that exist, for what registers one. */
export const FOLDERS = join(tmpdir(), `acervo-isolation-folders-${process.pid}`);

const names = (names: (of: Household, group: Group) => string | number | object, ...companions: string[]): Kind => ({
  names,
  with: companions,
});
const holds = (value: unknown): Kind => ({ holds: value });

const folderOf = ({ word }: Pick<Household, 'word'>): string => {
  const folder = join(FOLDERS, word);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** The folder that is open to both groups. */
export const OPENED = join(FOLDERS, 'opened');

const openedFolderOf = ({ word }: Household): string => folderOf({ word: join('opened', word) });

const group = names((_of, { code }) => code);

/**
 * The table of kinds. A field is looked up as `operation Class.wire`; the first row that fits counts. A new identifier
 * needs a row here only where no row fits it, and the suite says so.
 */
const table: readonly (readonly [RegExp, Kind])[] = [
  // Words of the catalogue of the product, which belong to all groups.
  [
    /^(functions\.(update|delete|generate_md|add_application)|(PUT|DELETE) \/funciones\/:codigo|POST \/funciones\/:codigo\/(aplicaciones|generar-md)) .*\.codigo$/,
    holds('ZZ_TEST'),
  ],
  [/^(functions\.add_role|POST \/funciones\/:codigo\/roles) .*\.codigo$/, holds('CHAT-USER')],
  [/(functions\.create .*|POST \/funciones .*)\.codigo$/, holds('ZZ_NEW')],
  [/Function(Reference|Place|RoleReference|ApplicationReference)\.codigo$/, holds('DOCUMENTS')],
  [/(AssignFunctionApplication)\.codigo$/, holds('ZZ_TEST')],
  [/RoleFunctionPlace\.codigo_funcion$/, holds('DOCUMENTS')],
  [/\.codigo_funcion$/, holds('CHAT-USER')],
  [/\.funcion$/, holds('DOCUMENTS')],
  [
    /^(functions\.add_application|POST \/funciones\/:codigo\/aplicaciones|roles\.add_application|POST \/roles\/:id_rol\/aplicaciones) .*\.codigo_aplicacion$/,
    holds('ZZ_APP'),
  ],
  [/\.(codigo_aplicacion|aplicacion_predeterminada|app)$/, holds('WEB')],

  [/\.function_code$/, holds('DOCUMENTS')],
  [/(AuditRequest\.call|(OperationReference|Execution)\.code)$/, holds('entities.list')],
  [/Execution(Request)?\.preview_token$/, holds('x')],
  // What operations take is tried call by call.
  [/Execution(Request)?\.input$/, holds({})],

  // What services hear and work. A fact is later than what is known, so that it counts.
  [/^\w+ hears .*\.revision$/, holds(9)],
  [/^\w+ (hears|works) .*\.document_id$/, names(({ ids }) => ids.document)],
  [/Document(Described|Prepared)\.code$/, names(({ document }) => document)],
  [/LocationDescribed\.code$/, names(({ location }) => location)],
  [/LocationDescribed\.(parent_code|ancestors)$/, names(({ root }) => root)],
  [/\.location_ancestors$/, names(({ root }) => root)],
  [/Embedding\w+\.model$/, holds(HASHING.model)],
  [/EmbeddingModelKey\.revision$/, holds(HASHING.revision)],
  [/Embedding\w+\.dimension$/, holds(HASHING.dimension)],
  [/EmbeddingSpaceLive\.floor$/, holds(Math.random)],
  [/EmbeddingModelKey\.floor$/, holds(HASHING.floor)],
  [/AuditRecord\.record_id$/, { makes: ({ ids }) => ids.run }],
  [/\.chunks_object$/, names(({ ids }, { groupId }) => `group/${groupId}/chunks/${ids.document}`)],
  [/\.vectors_object$/, names(({ ids }, { groupId }) => `group/${groupId}/vectors/${ids.document}`)],
  [/Discarded\.objects$/, names(({ ids }, { groupId }) => `group/${groupId}/chunks/${ids.document}`)],
  [/Discarded\.hashes$/, names(({ word }) => word)],
  [/LocationsDeleted\.(root_code|codes)$/, names(({ root }) => root)],
  [/RemovedRoot\.root$/, names(({ root }) => root)],
  [/ works scan Task\.subject_id$/, names(({ ids }) => ids.run)],
  [/ works (flip|retire|reconcile|rescan|rebuild|drop) Task\.subject_id$/, names((_of, { groupId }) => groupId)],
  [/Task\.subject_id$/, names(({ ids }) => ids.document)],

  // What belongs to a group.
  [/AssignRole\.codigo_rol$/, names(({ roleCode }) => `free-${roleCode}`)],
  [/\.codigo_rol$/, names(({ roleCode }) => roleCode)],
  [/HeldRequest\.after$/, holds('')],
  [/(HeldRequest\.only|DocumentsToPurge\.document_ids)$/, names(({ ids }) => ids.document)],
  [/FolderRegistration\.entity_code$/, { makes: ({ entity }) => entity }],
  [/FolderRegistration\.path$/, holds(folderOf)],
  // A folder of the operator, below one that is open to both groups.
  [/NewLocation\.path$/, holds(openedFolderOf)],
  [/\.(document_code|document_codes|documento)$/, names(({ document }) => document)],
  [/^areas\.(preview_)?remove_location .*\.location_code$/, names(({ root }) => root)],
  [/(LocationToScan|RootReference|LocationUpdate|LocationSync)\.location_code$/, names(({ root }) => root)],
  [/RunRequest\.location_code$/, names(({ root }) => root)],
  [/(LocationCodes\.codes|(HoldingsRequest|AreaLinksRequest)\.location_codes)$/, names(({ location }) => location)],
  [/LocationListRequest\.parent_code$/, names(({ root }) => root)],
  [/\.(location_code|parent_location_code)$/, names(({ location }) => location)],
  [/(RunReference|RunUpdate|RunQueueRequest)\.run$/, names(({ run }) => run)],
  [/\.area_predeterminada$/, names(({ area }) => area, 'entidad_predeterminada')],
  [/CreateApiKey\.codigo_area$/, names(({ area }) => area, 'codigo_entidad', 'codigo_usuario_destino')],
  [/CreateApiKey\.codigo_entidad$/, names(({ entity }) => entity, 'codigo_usuario_destino')],
  [/CreateApiKey\.rol_solicitado$/, names(({ roleCode }) => roleCode, 'codigo_usuario_destino')],
  [/CreateApiKey\.codigo_usuario_destino$/, names(({ user }) => user)],
  [/(EntityAssignment|AssignEntity)\.codigo_entidad$/, names(({ otherEntity }) => otherEntity)],
  [/(EntityAssignment|AssignEntity)\.codigo_area$/, names(({ otherArea }) => otherArea)],
  [/^areas\.delete .*\.area_code$/, names(({ emptyArea }) => emptyArea)],
  [/^entities\.delete .*\.entity_code$/, names(({ emptyEntity }) => emptyEntity)],
  [/(AreaListRequest|NewArea|AreaUpdate)\.parent_code$/, names(({ emptyArea }) => emptyArea)],
  [/(NewArea|NewEntity)\.code$/, { makes: ({ area }) => area }],
  [/\.(codigo_area|area_code)$/, names(({ area }) => area)],
  [/\.(codigo_entidad|entity_code|entidad|entidades|entidad_predeterminada)$/, names(({ entity }) => entity)],
  [/UserDraft\.codigo$/, { makes: ({ user }) => user }],
  [/(User\w*|\w*User\w*|AssignRole|AssignEntity)\.codigo$/, names(({ user }) => user)],
  [/(UserRoleReference|RemoveUserRole|RolePlace)\.id_rol$/, names(({ heldRole }) => heldRole)],
  [/\.id_rol$/, names(({ role }) => role)],
  [/(RoleDraft|RoleChange|RoleUpdate|RoleCopy)\.codigo$/, { makes: ({ roleCode }) => roleCode }],
  [/\.codigo_grupo$/, group],
  [/FunctionListRequest\.grupo$/, group],
  [/\.prefijo$/, names(({ key }) => key)],
  [/(ChallengeFactor|FactorName|VerifyFactor)\.factor_id$/, names(({ factor }) => factor)],
  [/VerifyFactor\.challenge_id$/, names(({ challenge }) => challenge)],
  [/PersonInGroup\.user_id$/, names(({ ids }) => ids.user)],

  // Who is not signed in names people by their address.
  [/(LoginRequest|LoginAttempt|RecoveryRequest|RecoveryFrom|RegistrationName)\.email$/, names(({ user }) => user)],
  [/(PublicRegistration|RegistrationFrom)\.email$/, names(({ user }) => user)],
  [/(SystemUser)\.email$/, { makes: ({ user }) => user }],

  // Credentials: whoever holds one is its owner.
  [/\.(bearer|token|refresh_token|password|device_token|administrator_password)$/, holds('not a credential 1')],
  [/VerifyFactor\.code$/, holds('000000')],
  [/VerifyFactor\.credential$/, holds({ id: 'x' })],

  // Codes of domains that are still to come: nothing carries them.
  [/SearchFilter\.\w+$/, holds('NONE')],
  [/\.space_id$/, holds(1)],

  // A page of a list: what it tells is tried with cursors themselves.
  [/\.cursor$/, holds('x')],

  // Rows that an import carries: their group is that of the import, whatever they say.
  [
    /^exports\.write_people .*\.rows$/,
    names(({ run, word }, { groupId }) => ({ group_id: groupId, name: word, value: run })),
  ],
  [
    /^exports\.write_folders .*\.rows$/,
    names(({ run, word }, { groupId }) => ({ group_id: groupId, name: word, value: run })),
  ],
  [/^exports\.(read|write)_\w+ .*\.table$/, holds('counter')],
  [/PageOfRows\.after$/, holds(null)],
  // The program that brings an installation back names its first group before there is any.
  [/InstallationToRestore\.first_group$/, holds('00000000-0000-4000-8000-000000000009')],

  // Values with a meaning of their own.
  [/ParameterUpdate\.parameter_code$/, holds('CONTACT')],
  [/ParameterUpdate\.value$/, holds(null)],
  [/DocumentReversal\.status$/, holds('DETECTED')],
  [/PersonInGroup\.purpose$/, holds('INVITACION')],
  [/\.url$/, holds('/x')],
  [/FirstGroup\.administrator$/, holds('somebody@zqc.test')],
  [/RoleReference\.\w+$/, holds(1)],
];

const LOOKS_LIKE_A_NAME = /(^|_)(id|ids|code|codes|codigo|codigos|key|token|email|prefijo)(_|$)/;

const example = ({ schema }: Slot): unknown => {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'boolean') return false;
  if (schema.format === 'date-time') return '2026-01-31T00:00:00Z';
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  return undefined;
};

/** What a field holds. @throws with what to declare for a field that could name something of a group. */
export const kindOf = (operation: string, slot: Slot): Kind => {
  const wire = slot.path.findLast((step) => typeof step === 'string') ?? '';
  const found = table.find(([pattern]) => pattern.test(`${operation} ${slot.name}`));
  if (found !== undefined) return found[1];
  if (slot.isCode || LOOKS_LIKE_A_NAME.test(String(wire)))
    throw new Error(
      `${operation} takes ${slot.name} and nobody knows what it names; give it a row in apps/standalone/test/isolation/kinds.ts.`,
    );
  const value = example(slot);
  return value === undefined ? { says: true } : { holds: value };
};

/** Fields that may be left out and without which an administrator is refused. */
const always =
  /((AssignRole|UserRolePlace)\.codigo_rol|RoleDraft\.codigo_grupo|RoleCopy\.codigo|(AreaListRequest|NewArea|NewLocation|FolderRegistration|OrganizationRequest|OrganizationUpdate)\.entity_code|AreaUpdate\.name|OrganizationUpdate\.group_description)$/;

export const isGivenAlways = ({ name }: Slot): boolean => always.test(name);
